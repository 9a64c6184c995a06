// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --mutation: finds out whether a program notices changes of its kernels.
#pragma once

#include "driver/run/request.h"

namespace gputest::driver {

// Throws CommandError.
void check_mutation_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

// Runs the program (program/mutation.h), writes <output>/mutation.json, and reports. Returns the
// exit code. 1: the program fails without a mutant, or the score is below the threshold. 77: the
// program ends with 77 before it has launched anything.
int run_mutation(const ProgramRequest& request);

} // namespace gputest::driver
