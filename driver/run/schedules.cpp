// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/schedules.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/replayed_program.h"
#include "driver/report/schedules.h"
#include "driver/run/coverage.h"
#include "driver/run/no_device.h"
#include "driver/run/repeated_runs.h"
#include "model/analyses.h"
#include "model/schedules/results.h"
#include "process/scratch_folder.h"
#include "program/opencl/schedules.h"

#include <fmt/format.h>
#include <iostream>
#include <utility>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

program::ScheduleSettings schedule_settings(const ProgramRun& prepared,
                                            const model::Settings& given) {
  program::ScheduleSettings settings;
  settle(settings, prepared, given);
  settings.count = static_cast<unsigned>(given.whole("count"));
  settings.strategy = given.text("strategy");
  settings.tolerance = given.real("tolerance");
  settings.time_limit = given.given_seconds("time-limit");
  settings.directory = fs::current_path().string();
  if (prepared.settings.only_kernel_files)
    for (const fs::path& file : prepared.settings.kernel_files)
      settings.kernel_files.push_back(file.string());
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
  return result.not_measured.empty();
}

// Prints the kernels that keep their order, because they have not been tested.
void print_untested(const std::vector<program::NotMeasured>& entries) {
  print_not_measured(entries);
  if (!entries.empty())
    fmt::print(stderr, "error: not all kernels were run in other orders, see above\n");
}

} // namespace

void check_schedules_run(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  if (arguments.count("groups") + arguments.count("items") + arguments.count("order-seed") > 0)
    throw CommandError("error: --groups, --items and --order-seed are orders of their own: leave "
                       "them out with --schedules");
  check_repeated_runs(settings);
}

int run_schedules(const ProgramRun& prepared, const model::Settings& given,
                  const cxxopts::ParseResult& arguments) {
  const program::ScheduleSettings settings = schedule_settings(prepared, given);
  remove_old_schedules(prepared.output);
  program::ProgramSchedules result;
  try {
    result = program::run_schedules(settings);
  } catch (const program::PlainRunFailed& failure) {
    fmt::print(stderr, "error: {}: no schedule was run, because as launched {}{}\n", prepared.name,
               failure.what(), no_device_hint());
    return Failed;
  }
  if (result.skipped)
    return skipped(prepared);
  const std::vector<fs::path> files = write(result, prepared.output);
  Outputs outputs(arguments);
  if (!files.empty())
    report_schedules(arguments, given, files, outputs);
  if (arguments.count("no-terminal") == 0) {
    std::cout << fmt::format("\n{} runs of the program (strategy {}, seed {})\n", result.runs,
                             model::strategy_text(settings.strategy, settings.count),
                             settings.seed);
    print_varying(result.varying, result.reads);
    std::cout << std::flush;
  }
  print_untested(result.not_measured);
  return holds(result) ? Held : Failed;
}

int replay_program(const fs::path& file, std::vector<std::string> words, unsigned repeat) {
  const model::Schedule schedule = model::read_schedule(file);
  const model::ProgramLaunches& launches = *schedule.program;
  words = replayed_command(file, std::move(words), launches.command, launches.directory);
  process::ScratchFolder folder("gputest-replay");
  ProgramRun prepared =
      prepare_replay(schedule.test_case, launches.kernel_files, {{}, words}, folder.path());
  if (schedule.device == "simulator")
    prepared.settings.simulator = runtime::SimulatedProgram{simulator_file(), {}};
  const program::ScheduleSettings settings = schedule_settings(
      prepared, model::Settings(*model::find_analysis(model::analyses(), "schedules")));
  program::Replayed replayed;
  try {
    replayed = program::replay_schedule(settings, schedule, repeat);
  } catch (const program::PlainRunFailed& failure) {
    folder.keep(); // with what the program printed
    fmt::print(stderr, "error: {}: the schedule was not run, because as launched {}{}\n",
               prepared.name, failure.what(), no_device_hint());
    return Failed;
  }
  if (replayed.skipped)
    return skipped(prepared);
  std::cout << model::text_of(replayed.scheduled, "") << std::flush;
  print_untested(replayed.not_measured);
  return replayed.scheduled.findings.empty() && replayed.not_measured.empty() ? Held : Failed;
}

} // namespace gputest::driver
