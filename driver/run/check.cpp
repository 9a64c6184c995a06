// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/check.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/report/check.h"
#include "driver/run/messages.h"
#include "driver/run/replayed_command.h"
#include "model/suppressions/suppressions.h"
#include "process/scratch_folder.h"
#include "program/opencl/check.h"
#include "program/opencl/check_replay.h"
#include "program/opencl/no_device.h"
#include "program/opencl/program.h"

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
  if (!request.kind.prints_findings)
    print_findings(run.kernels, task.output);
  const auto of_kernels = static_cast<std::size_t>(
      std::ranges::count(run.kernels, false, &program::KernelChecks::of_host));
  const std::string kernels =
      run.kernels.front().folder.empty() ? "" : " of " + counted(of_kernels, "kernel", "kernels");
  std::cout << fmt::format("{}: {}{} in {}{}; {}\n", task.name,
                           counted(run.findings, "finding", "findings"),
                           model::suppressed_text(run.suppressed),
                           counted(run.launches, "launch", "launches"), kernels,
                           checks.empty() ? "not checked, only run"
                                          : fmt::format("checked: {}", fmt::join(checks, ", ")))
            << std::flush;
  const bool passes = print_failure(task.name, run.judged);
  if (passes && run.launches == 0)
    fmt::print(stderr, "error: {}: {}\n", task.name, run.recorded.nothing);
  return passes && run.launches > 0 && run.findings == 0 ? Held : Failed;
}

int replay_check(const fs::path& file, std::vector<std::string> words) {
  program::CheckReplay replay = program::read_check_replay(file, simulator_file());
  words = replayed_command(file, std::move(words), replay.command, replay.directory);
  const process::ScratchFolder folder("gputest-replay");
  program::GivenOptions options;
  if (!replay.kernel_files.empty())
    options.add("kernels", replay.kernel_files);
  program::OpenClProgram program(task_of(std::move(words), replay.name, folder.path()), options,
                                 nullptr);
  program::RunSettings& settings = program.settings();
  settings.measure = "check";
  settings.simulator = std::move(replay.simulator);
  settings.only_kernels = {replay.kernel};
  settings.source_root = replay.source_root; // names of files are those in the finding
  const program::ChildResult result =
      program::run_recorded(program.child(), program.run_folder(), settings);
  const program::RunRecords records = program::read_run_folder(program.run_folder());
  const std::vector<program::KernelChecks> kernels =
      program::sorted_by_kernel(program::checked_launches(records));
  std::cout << std::flush;
  print_not_measured(records.not_measured);
  if (kernels.empty()) {
    fmt::print(stderr, "error: {} made no launch of {} in the simulator: {}\n", replay.name,
               replay.kernel, program::why_nothing(records, own_file()));
    return program::is_skipped(result, records) ? program::kSkipped : int{Failed};
  }
  const auto is_wanted = [&](const program::LaunchFinding& found) {
    return pair_of(found.finding) == pair_of(replay.finding);
  };
  for (const program::KernelChecks& checked : kernels)
    if (const auto found = std::ranges::find_if(checked.findings, is_wanted);
        found != checked.findings.end()) {
      std::cout << fmt::format("{}\n  in launch {} of {} ({})\n", text_of(found->finding),
                               found->launch, checked.folder, model::text_of(found->sizes))
                << std::flush;
      return Failed;
    }
  std::cout << fmt::format("{}: not found again in {} launches of {}\n", replay.name,
                           kernels.front().launches, replay.kernel)
            << std::flush;
  return Held;
}

} // namespace gputest::driver
