// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/task.h"

namespace gputest::program {

JudgedRun run_judged(const ProgramTask& task,
                     const std::function<ChildResult(const ChildSettings&)>& run) {
  const std::filesystem::path output = task.output / "output.txt";
  JudgedRun judged = run_judged(task.child, task.oracle, output, run);
  std::error_code ignored;
  std::filesystem::remove(output, ignored);
  return judged;
}

} // namespace gputest::program
