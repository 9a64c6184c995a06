// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/memory.h"

#include "driver/command_error.h"
#include "driver/report/memory.h"
#include "driver/run/messages.h"
#include "memory/model/gpu.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

// Settings that `gputest memory` has as options of its own.
constexpr std::array kPassedOn{"gpu", "caches", "overhead", "issues", "cycles"};

program::MemorySettings settings_of(const model::Settings& given) {
  program::MemorySettings settings{.launches = given.whole("largest"),
                                   .max_bytes = given.whole("max-bytes"),
                                   .caches =
                                       model::named<model::Caches>(given.text("caches")).value(),
                                   .options = {"--schedules", given.text("count")}};
  for (const char* name : kPassedOn)
    if (given.given(name))
      settings.options.insert(settings.options.end(),
                              {fmt::format("--{}", name), given.text(name)});
  return settings;
}

// Throws CommandError where a launch can leave nothing for the next one.
void check_caches(const model::Settings& settings) {
  if (settings.text("caches") != model::name_of(model::Caches::Warm))
    return;
  const memory::Gpu gpu = memory::gpu_named(settings.text("gpu"));
  if (!gpu.has_shared_cache())
    throw CommandError("error: " + gpu.why_not_warm());
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
  check_caches(request.settings);
  const program::ProgramTask& task = request.program.task();
  const auto keeper = request.program.launch_keeper();
  const program::MemoryRun run =
      program::run_memory(request.program, *keeper, settings_of(request.settings));
  std::cout << std::flush;
  print_not_measured(run.recorded.not_measured);
  if (run.recorded.unwritten)
    fmt::print(stderr, "error: not all launches could be kept: {}\n", *run.recorded.unwritten);
  if (run.kernels.empty()) {
    fmt::print(stderr, "error: no launch of {} was modelled: {}\n", task.name,
               run.recorded.nothing.empty() ? "see above" : run.recorded.nothing);
    return run.recorded.skipped     ? program::kSkipped
           : run.recorded.unwritten ? int{Internal}
                                    : int{Failed};
  }
  Outputs outputs(request.arguments, Outputs::Silent);
  report_memory(request.arguments, request.settings, run.files, outputs);
  const bool holds = print_kernels(run);
  if (!print_failure(task.name, run.judged) || !holds)
    return Failed;
  return run.recorded.unwritten ? Internal : Held;
}

} // namespace gputest::driver
