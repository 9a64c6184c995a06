// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --coverage: measures what the launches of a program cover of its kernels.
#pragma once

#include "driver/run/request.h"

namespace gputest::driver {

// Runs the program (program/coverage.h), and reports. Returns the exit code. 1: the program fails,
// nothing was measured, a threshold is missed, the simulator found something, or results differ
// from those without instrumentation. 77: the program ends with 77 before it has launched anything.
int run_coverage(const ProgramRequest& request);

// Throws CommandError.
void check_coverage_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

} // namespace gputest::driver
