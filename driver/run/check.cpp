// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/check.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/program_arguments.h"
#include "driver/program_kinds.h"
#include "driver/report/check.h"
#include "driver/run/messages.h"
#include "driver/run/replayed_command.h"
#include "model/suppressions/suppressions.h"
#include "process/scratch_folder.h"
#include "program/check_replay.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "3 launches", "3 launches and 2 calls of libraries"
std::string launches_text(std::uint64_t launches, std::uint64_t library_calls) {
  const std::string calls =
      library_calls == 0 ? "" : counted(library_calls, "call of a library", "calls of libraries");
  if (launches == 0 && !calls.empty())
    return calls;
  return counted(launches, "launch", "launches") + (calls.empty() ? "" : " and " + calls);
}

} // namespace

int run_check(const ProgramRequest& request) {
  const program::ProgramTask& task = request.program.task();
  model::Suppressions suppressions =
      program_suppressions(task.source_root, request.settings, {task.output / "run" / "sources"});
  const std::vector<std::string> checks =
      request.is_asked ? request.settings.flags() : std::vector<std::string>();
  const program::CheckRun run = program::run_checks(request.program, checks, suppressions);
  std::cout << std::flush;
  print_not_measured(run.recorded.not_measured);
  if (run.kernels.empty()) {
    fmt::print(stderr, "error: nothing of {} ran in the simulator: {}\n", task.name,
               run.recorded.nothing);
    return run.recorded.skipped ? program::kSkipped : int{Failed};
  }
  Outputs outputs(request.arguments, Outputs::Silent);
  report_check(request.arguments, request.settings, run.files, outputs);
  print_findings(run.kernels, task.output, request.kind.prints_findings);
  const auto of_kernels = static_cast<std::size_t>(
      std::ranges::count(run.kernels, false, &program::KernelChecks::of_host));
  const std::string kernels =
      run.kernels.front().folder.empty() ? "" : " of " + counted(of_kernels, "kernel", "kernels");
  std::cout << fmt::format("{}: {}{} in {}{}; {}\n", task.name,
                           counted(run.findings, "finding", "findings"),
                           model::suppressed_text(run.suppressed),
                           launches_text(run.launches, run.recorded.library_calls), kernels,
                           checks.empty() ? "not checked, only run"
                                          : fmt::format("checked: {}", fmt::join(checks, ", ")))
            << std::flush;
  const bool passes = print_failure(task.name, run.judged);
  const bool did_something = run.launches + run.recorded.library_calls > 0;
  if (passes && !did_something)
    fmt::print(stderr, "error: {}: {}\n", task.name, run.recorded.nothing);
  return passes && did_something && run.findings == 0 ? Held : Failed;
}

int replay_check(const fs::path& file, std::vector<std::string> words) {
  const program::CheckReplay replay = program::read_check_replay(file, place_of_simulator());
  const auto kind = std::ranges::find(program_kinds(), replay.kind, &program::ProgramKind::name);
  if (kind == program_kinds().end())
    throw CommandError(fmt::format("{}: error: is of a program of the kind '{}', which this "
                                   "gputest does not know",
                                   file.string(), replay.kind));
  if (replay.simulator)
    simulator_file(); // which must be there
  words = replayed_command(file, std::move(words), replay.command, replay.directory);
  const process::ScratchFolder folder("gputest-replay");
  const auto program =
      kind->open(task_of(std::move(words), replay.name, folder.path()), {}, nullptr);
  program->prepare_replay(replay);
  const program::JudgedRun run{.result =
                                   program->run_for_checks(program->task().child, replay.checks)};
  const program::ProgramChecks recorded = program->read_checks(run);
  const std::vector<program::KernelChecks> kernels = program::sorted_by_kernel(recorded.launches);
  std::uint64_t launches = 0;
  for (const program::KernelChecks& checked : kernels)
    launches += checked.launches;
  const std::string where = replay.kernel.empty() ? "" : " of " + replay.kernel;
  std::cout << std::flush;
  print_not_measured(recorded.not_measured);
  const auto is_wanted = [&](const program::LaunchFinding& found) {
    return program->key_of(found.finding) == program->key_of(replay.finding);
  };
  for (const program::KernelChecks& checked : kernels)
    if (const auto found = std::ranges::find_if(checked.findings, is_wanted);
        found != checked.findings.end()) {
      std::cout << (kind->prints_findings ? replay.name + ": found again" : text_of(found->finding))
                << "\n";
      if (found->launch > 0)
        std::cout << fmt::format("  in launch {} of {} ({})\n", found->launch, checked.folder,
                                 model::text_of(found->sizes));
      std::cout << std::flush;
      return Failed;
    }
  if (launches + recorded.library_calls == 0) {
    fmt::print(stderr, "error: {} made no launch{} in the simulator: {}\n", replay.name, where,
               recorded.nothing);
    return recorded.skipped ? program::kSkipped : int{Failed};
  }
  std::cout << fmt::format("{}: not found again in {}{}\n", replay.name,
                           launches_text(launches, recorded.library_calls), where)
            << std::flush;
  return Held;
}

} // namespace gputest::driver
