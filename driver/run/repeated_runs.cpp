// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/repeated_runs.h"

#include "driver/command_error.h"

#include <algorithm>
#include <thread>

namespace gputest::driver {

void check_repeated_runs(const model::Settings& settings) {
  if (settings.whole("baseline") < 2)
    throw CommandError("error: --baseline: at least 2, to see what varies by itself");
  if (const std::string jobs = settings.text("jobs");
      settings.given("jobs") && !model::whole_number(jobs, model::kJobs))
    throw CommandError("error: " + model::no_whole_number("--jobs", jobs, model::kJobs));
}

program::RepeatedRuns repeated_runs(const program::TestedProgram& program,
                                    const model::Settings& settings) {
  program::RepeatedRuns runs{.seed = static_cast<unsigned>(settings.whole("seed")),
                             .jobs =
                                 program.jobs(std::max(1U, std::thread::hardware_concurrency())),
                             .timeout_factor = settings.real("timeout-factor")};
  runs.baseline = settings.given_whole("baseline");
  if (const auto jobs = settings.given_whole("jobs"))
    runs.jobs = *jobs;
  return runs;
}

} // namespace gputest::driver
