// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/repeated_runs.h"

#include "driver/command_error.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <thread>

namespace gputest::driver {

void check_repeated_runs(const model::Settings& settings) {
  if (settings.whole("baseline") < 2)
    throw CommandError("error: --baseline: at least 2, to see what varies by itself");
  if (const std::string jobs = settings.text("jobs");
      settings.given("jobs") && !model::whole_number(jobs, model::kJobs))
    throw CommandError("error: " + model::no_whole_number("--jobs", jobs, model::kJobs));
}

void settle(program::RepeatedProgram& program, const ProgramRun& prepared,
            const model::Settings& settings) {
  program.name = prepared.name;
  program.run_folder = prepared.run_folder;
  program.run = prepared.settings;
  program.child = prepared.child;
  program.seed = static_cast<unsigned>(settings.whole("seed"));
  program.baseline = static_cast<unsigned>(settings.whole("baseline"));
  program.jobs =
      settings.given_whole("jobs").value_or(std::max(1u, std::thread::hardware_concurrency()));
  program.timeout_factor = settings.real("timeout-factor");
  program.oracle = prepared.oracle;
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
