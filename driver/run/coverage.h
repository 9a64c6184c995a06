// gputest run --coverage: what the launches of a program cover of its kernels.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"

namespace gputest::driver {

// Runs the program, writes <output>/<source>.<kernel>/coverage.json and run.json, and reports.
// Returns the exit code: 1 if the program fails, nothing was measured or a threshold is missed; 77
// if it ends with that before it has launched anything.
int run_coverage(const ProgramRun& prepared, const model::Settings& settings,
                 const cxxopts::ParseResult& arguments);

// Throws CommandError.
void check_coverage_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

// Why a run recorded no kernel at all.
std::string why_nothing(const program::RunRecords& records);

// What is said of programs and kernels that could not be measured, a line each.
void print_not_measured(const std::vector<program::NotMeasured>& entries);

} // namespace gputest::driver
