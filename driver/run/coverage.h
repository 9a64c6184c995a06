// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --coverage: measures what the launches of a program cover of its kernels.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"

namespace gputest::driver {

// Runs the program, writes <output>/<source>.<kernel>/coverage.json and run.json, and reports.
// Returns the exit code. 1: the program fails, nothing was measured, a threshold is missed, the
// simulator found something, or results differ from those without instrumentation. 77: the program
// ends with 77 before it has launched anything.
int run_coverage(const ProgramRun& prepared, const model::Settings& settings,
                 const cxxopts::ParseResult& arguments);

// Throws CommandError.
void check_coverage_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

// Returns why a run recorded no kernel at all.
std::string why_nothing(const program::RunRecords& records);

// Prints a line for each program and kernel that could not be measured.
void print_not_measured(const std::vector<program::NotMeasured>& entries);

} // namespace gputest::driver
