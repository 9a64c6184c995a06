#include "driver/repeated_runs.h"

#include "driver/command_error.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <thread>

namespace gputest::driver {

void add_repeated_run_options(cxxopts::Options& options) {
  options.add_options("Mutation and schedules")("seed", "that draws samples and random orders",
                                                cxxopts::value<unsigned>()->default_value("1"),
                                                "N")(
      "jobs", "programs that run at the same time (default: as many as there are cores)",
      cxxopts::value<unsigned>(), "N")("baseline", "runs that change nothing, at least 2",
                                       cxxopts::value<unsigned>()->default_value("3"), "N")(
      "timeout-factor", "time limit, in times of a run that changes nothing",
      cxxopts::value<double>()->default_value("10"), "F");
}

RepeatedRuns repeated_runs(const cxxopts::ParseResult& arguments) {
  RepeatedRuns runs{.seed = arguments["seed"].as<unsigned>(),
                    .jobs = std::max(1u, std::thread::hardware_concurrency()),
                    .baseline = arguments["baseline"].as<unsigned>(),
                    .timeout_factor = arguments["timeout-factor"].as<double>()};
  if (arguments.count("jobs") > 0)
    runs.jobs = arguments["jobs"].as<unsigned>();
  if (runs.baseline < 2)
    throw CommandError("error: --baseline: at least 2, to see what varies by itself");
  if (!(runs.timeout_factor >= 1))
    throw CommandError("error: --timeout-factor: at least 1");
  if (runs.jobs == 0)
    throw CommandError("error: --jobs: at least 1");
  return runs;
}

void refuse_repeated_run_options(const cxxopts::ParseResult& arguments) {
  for (const char* option : {"seed", "jobs", "baseline", "timeout-factor"})
    if (arguments.count(option) > 0)
      throw CommandError(fmt::format("error: --{} is for --mutation and --schedules", option));
}

void settle(program::RepeatedProgram& program, const ProgramRun& prepared,
            const RepeatedRuns& runs) {
  program.name = prepared.name;
  program.run_folder = prepared.run_folder;
  program.run = prepared.settings;
  program.child = prepared.child;
  program.seed = runs.seed;
  program.baseline = runs.baseline;
  program.jobs = runs.jobs;
  program.timeout_factor = runs.timeout_factor;
}

int skipped(const ProgramRun& prepared) {
  fmt::print(stderr, "skipped: {} found no device\n", prepared.name);
  return program::kSkipped;
}

void print_varying(std::size_t varying, std::size_t reads) {
  if (varying > 0)
    std::cout << fmt::format(
        "{} of {} pieces that it reads back vary by themselves and were not compared\n", varying,
        reads);
}

} // namespace gputest::driver
