// The options of subcommands that run a program again and again.
#pragma once

#include <cxxopts.hpp>

namespace gputest::driver {

struct RepeatedRuns {
  unsigned seed = 1;
  unsigned jobs = 1;          // programs that run at the same time
  unsigned baseline = 3;      // runs that change nothing
  double timeout_factor = 10; // in times of one of those
};

// --seed, --jobs, --baseline, --timeout-factor.
void add_repeated_run_options(cxxopts::Options& options);
// Throws CommandError.
RepeatedRuns repeated_runs(const cxxopts::ParseResult& arguments);
void refuse_repeated_run_options(const cxxopts::ParseResult& arguments);

} // namespace gputest::driver
