// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared parts of subcommands that run a program repeatedly.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"
#include "program/opencl/repeated_program.h"

namespace gputest::driver {

// Throws CommandError.
void check_repeated_runs(const model::Settings& settings);

// Sets what repeated runs have in common in `program`: its command, seed, jobs and limits.
void settle(program::RepeatedProgram& program, const ProgramRun& prepared,
            const model::Settings& settings);

// Says on standard error that the program found no device. Returns the exit code of a skipped test.
int skipped(const ProgramRun& prepared);
// Says on standard output how many of `reads` vary, if any do.
void print_varying(std::size_t varying, std::size_t reads);

} // namespace gputest::driver
