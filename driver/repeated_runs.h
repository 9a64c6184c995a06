// The options of subcommands that run a program again and again.
#pragma once

#include "driver/program_arguments.h"
#include "program/repeated_program.h"

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

// What `program` has in common with all that runs programs again and again.
void settle(program::RepeatedProgram& program, const ProgramRun& prepared,
            const RepeatedRuns& runs);

// That the program found no device; returns the exit code.
int skipped(const ProgramRun& prepared);
// On standard output, where something does.
void print_varying(std::size_t varying, std::size_t reads);

} // namespace gputest::driver
