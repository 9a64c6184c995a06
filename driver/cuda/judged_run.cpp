// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cuda/judged_run.h"

#include "model/files.h"
#include "process/undisturbed.h"

#include <cstdio>
#include <string>

namespace gputest::driver {

namespace fs = std::filesystem;

program::JudgedRun run_judged(const CudaRun& run,
                              const std::function<program::ChildSettings()>& prepare) {
  const fs::path lost = run.output / "simulator-lost", file = run.output / "output.txt";
  const bool looks = run.oracle.fail_expression || run.oracle.pass_expression;
  const program::ChildResult result = process::run_undisturbed(run.name, lost, [&] {
    program::ChildSettings child = prepare();
    if (looks) {
      child.output = file;
      child.input_from = program::repeatable_input();
    }
    return child;
  });
  std::string output;
  if (looks) {
    output = model::read_text(file).value_or("");
    fs::remove(file);
    std::fwrite(output.data(), 1, output.size(), stdout);
    std::fflush(stdout);
  }
  return program::judged_run(result, run.oracle, output);
}

} // namespace gputest::driver
