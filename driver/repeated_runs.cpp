#include "driver/repeated_runs.h"

#include "driver/command_error.h"

#include <algorithm>
#include <fmt/format.h>
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

} // namespace gputest::driver
