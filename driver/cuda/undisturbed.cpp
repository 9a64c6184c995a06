// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cuda/undisturbed.h"

#include "driver/command_error.h"
#include "model/files.h"
#include "model/processes/cuda_environment.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest::driver {

namespace fs = std::filesystem;

void watch_simulator(program::ChildSettings& child, const fs::path& file) {
  fs::remove(file);
  child.environment[model::kSimulatorLost] = file.string();
}

bool is_disturbed(const program::ChildResult& result, const fs::path& file) {
  return !result.timed_out && (result.is_ended_by_others() || fs::exists(file));
}

std::string disturbance(const program::ChildResult& result, const fs::path& file) {
  const std::string how = model::read_text(file).value_or("");
  return how.empty() ? result.text()
                     : fmt::format("its simulator was ended {}", how.substr(0, how.find('\n')));
}

program::ChildResult run_undisturbed(const std::string& name, const fs::path& file,
                                     const std::function<program::ChildSettings()>& prepare) {
  std::string how;
  for (unsigned tries = 0; tries < program::kChildTries; ++tries) {
    program::ChildSettings child = prepare();
    watch_simulator(child, file);
    const program::ChildResult result = program::run_child(child);
    const bool disturbed = is_disturbed(result, file);
    if (disturbed)
      how = disturbance(result, file);
    fs::remove(file);
    if (!disturbed)
      return result;
  }
  throw CommandError(fmt::format("{}: error: {}, {} times in a row, by somebody else or for want "
                                 "of memory; nothing is known about the program",
                                 name, how, program::kChildTries),
                     Internal);
}

program::JudgedRun run_judged(const CudaRun& run,
                              const std::function<program::ChildSettings()>& prepare) {
  const fs::path lost = run.output / "simulator-lost", file = run.output / "output.txt";
  const bool looks = run.oracle.fail_expression || run.oracle.pass_expression;
  const program::ChildResult result = run_undisturbed(run.name, lost, [&] {
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
