// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/memory.h"

#include "driver/command_error.h"
#include "driver/report/memory.h"
#include "driver/run/messages.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

// Settings that `gputest memory` has as options of its own.
constexpr std::array kPassedOn{"gpu", "overhead", "issues", "cycles"};

program::MemorySettings settings_of(const model::Settings& given) {
  program::MemorySettings settings{.launches = given.whole("largest"),
                                   .max_bytes = given.whole("max-bytes"),
                                   .options = {"--schedules", given.text("count")}};
  for (const char* name : kPassedOn)
    if (given.given(name))
      settings.options.insert(settings.options.end(),
                              {fmt::format("--{}", name), given.text(name)});
  return settings;
}

// Prints a line for each kernel. Returns whether all limits hold.
bool print_kernels(const program::MemoryRun& run) {
  std::size_t width = 6;
  for (const program::KernelMemory& kernel : run.kernels)
    width = std::max(width, kernel.folder.size());
  std::cout << fmt::format("{:<{}} {:>14} {:>14} {:>9}  {}\n", "kernel", width, "cycles",
                           "instructions", "lost", "launch");
  bool holds = true;
  for (const program::KernelMemory& kernel : run.kernels) {
    for (const model::MemoryCase& one : kernel.results.cases)
      std::cout << fmt::format("{:<{}} {:>14} {:>14} {:>7.1f} %  {}\n", kernel.folder, width,
                               one.cycles, one.instructions, one.overhead_percent(), one.name);
    for (const std::string& missed : kernel.results.missed) {
      std::cout << std::flush;
      fmt::print(stderr, "error: {}: {}\n", kernel.folder, missed);
      holds = false;
    }
  }
  std::cout << std::flush;
  return holds;
}

} // namespace

int run_memory(const ProgramRequest& request) {
  const program::ProgramTask& task = request.program.task();
  const auto keeper = request.program.launch_keeper();
  if (!keeper)
    throw CommandError(fmt::format("error: --memory: launches of {} programs cannot be kept; run "
                                   "their kernels by gputest memory",
                                   request.kind.title));
  const program::MemoryRun run =
      program::run_memory(request.program, *keeper, settings_of(request.settings));
  std::cout << std::flush;
  print_not_measured(run.recorded.not_measured);
  if (run.kernels.empty()) {
    fmt::print(stderr, "error: no launch of {} was modelled: {}\n", task.name,
               run.recorded.nothing.empty() ? "see above" : run.recorded.nothing);
    return run.recorded.skipped ? program::kSkipped : int{Failed};
  }
  Outputs outputs(request.arguments, Outputs::Silent);
  report_memory(request.arguments, request.settings, run.files, outputs);
  const bool holds = print_kernels(run);
  return print_failure(task.name, run.judged) && holds ? Held : Failed;
}

} // namespace gputest::driver
