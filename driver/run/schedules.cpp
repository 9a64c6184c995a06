// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/schedules.h"

#include "driver/command_error.h"
#include "driver/program_kinds.h"
#include "driver/report/schedules.h"
#include "driver/run/messages.h"
#include "driver/run/repeated_runs.h"
#include "driver/run/replayed_command.h"
#include "model/analyses.h"
#include "process/scratch_folder.h"

#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

program::ScheduleSettings schedule_settings(const program::TestedProgram& program,
                                            const model::Settings& given) {
  program::ScheduleSettings settings;
  static_cast<program::RepeatedRuns&>(settings) = repeated_runs(program, given);
  settings.count = static_cast<unsigned>(given.whole("count"));
  settings.strategy = given.text("strategy");
  settings.tolerance = given.real("tolerance");
  settings.time_limit = given.given_seconds("time-limit");
  return settings;
}

// Removes old files, which must not pass for results of this run.
void remove_old_schedules(const fs::path& output) {
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.is_directory() && fs::remove(entry.path() / model::result_file_of("schedules")))
      fs::remove_all(entry.path() / "schedules");
}

std::vector<fs::path> write(const program::ProgramSchedules& result, const fs::path& output) {
  std::vector<fs::path> files;
  for (const program::KernelSchedules& kernel : result.kernels) {
    const fs::path folder = output / kernel.label;
    fs::create_directories(folder);
    for (const auto& [file, schedule] : kernel.files) {
      fs::create_directories((folder / file).parent_path());
      model::write_schedule(schedule, folder / file);
    }
    files.push_back(folder / model::result_file_of("schedules"));
    model::write_schedules(kernel.schedules, files.back());
  }
  return files;
}

bool holds(const program::ProgramSchedules& result) {
  for (const program::KernelSchedules& kernel : result.kernels)
    for (const model::ScheduledCase& scheduled : kernel.schedules.cases)
      if (!scheduled.findings.empty())
        return false;
  return result.not_measured.empty() && result.failures.empty();
}

// Prints the kernels that keep their order, because they have not been tested.
void print_untested(const std::vector<program::NotMeasured>& entries) {
  print_not_measured(entries);
  if (!entries.empty())
    fmt::print(stderr, "error: not all kernels were run in other orders, see above\n");
}

// `what` did not run: "no schedule was run".
int print_no_order(const program::TestedProgram& program, const char* what,
                   const std::exception& failure) {
  fmt::print(stderr, "error: {}: {}, because as launched {}{}\n", program.task().name, what,
             failure.what(), program.hint());
  return Failed;
}

} // namespace

void check_schedules_run(const model::Settings& settings,
                         const cxxopts::ParseResult& /*arguments*/) {
  check_repeated_runs(settings);
}

int run_schedules(const ProgramRequest& request) {
  program::TestedProgram& program = request.program;
  const program::ProgramTask& task = program.task();
  const program::ScheduleSettings settings = schedule_settings(program, request.settings);
  remove_old_schedules(task.output);
  program::ProgramSchedules result;
  try {
    result = program::run_schedules(program, settings);
  } catch (const program::RunRefused& refusal) {
    fmt::print(stderr, "error: {}\n", refusal.what());
    return Failed;
  } catch (const program::PlainRunFailed& failure) {
    return print_no_order(program, "no schedule was run", failure);
  }
  if (result.skipped)
    return skipped(task.name);
  const std::vector<fs::path> files = write(result, task.output);
  Outputs outputs(request.arguments);
  if (!files.empty())
    report_schedules(request.arguments, request.settings, files, outputs);
  if (request.arguments.count("no-terminal") == 0 && result.runs > 0) {
    std::cout << fmt::format("\n{} runs of the program (strategy {}, seed {})\n", result.runs,
                             model::strategy_text(settings.strategy, settings.count),
                             settings.seed);
    print_varying(result.varying, result.reads);
    std::cout << std::flush;
  }
  print_untested(result.not_measured);
  for (const std::string& failure : result.failures)
    fmt::print(stderr, "error: {}\n", failure);
  return holds(result) ? Held : Failed;
}

int replay_program(const fs::path& file, std::vector<std::string> words, unsigned repeat) {
  const model::Schedule schedule = model::read_schedule(file);
  const model::ProgramLaunches& launches = *schedule.program;
  words = replayed_command(file, std::move(words), launches.command, launches.directory);
  process::ScratchFolder folder("gputest-replay");
  program::ProgramTask task = task_of(std::move(words), schedule.test_case, folder.path());
  task.oracle = launches.oracle;
  program::GivenOptions options;
  if (!launches.kernel_files.empty())
    options.add("kernels", launches.kernel_files);
  if (schedule.device == "simulator")
    options.add("device", {"simulator"});
  const auto program =
      program::kind_of(program_kinds(), task.executable).open(std::move(task), options, nullptr);
  const program::ScheduleSettings settings = schedule_settings(
      *program, model::Settings(*model::find_analysis(model::analyses(), "schedules")));
  program::Replayed replayed;
  try {
    replayed = program::replay_schedule(*program, settings, schedule, repeat);
  } catch (const program::PlainRunFailed& failure) {
    folder.keep(); // with what the program printed
    return print_no_order(*program, "the schedule was not run", failure);
  }
  if (replayed.skipped)
    return skipped(program->task().name);
  std::cout << model::text_of(replayed.scheduled, "") << std::flush;
  print_untested(replayed.not_measured);
  return replayed.scheduled.findings.empty() && replayed.not_measured.empty() ? Held : Failed;
}

} // namespace gputest::driver
