// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/judged_run.h"

#include "process/undisturbed.h"

namespace gputest::program {

namespace fs = std::filesystem;

JudgedRun run_judged(const CudaRun& run, const std::function<ChildSettings()>& prepare) {
  const fs::path output = run.output / "output.txt";
  JudgedRun judged = run_judged({}, run.oracle, output, [&](const ChildSettings& looked_at) {
    return process::run_undisturbed(run.name, run.output / "simulator-lost", [&] {
      ChildSettings child = prepare();
      child.output = looked_at.output;
      child.input_from = looked_at.input_from;
      return child;
    });
  });
  std::error_code ignored;
  fs::remove(output, ignored);
  return judged;
}

} // namespace gputest::program
