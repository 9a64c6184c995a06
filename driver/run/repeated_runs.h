// What subcommands that run a program again and again share.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"
#include "program/repeated_program.h"

namespace gputest::driver {

// Throws CommandError.
void check_repeated_runs(const model::Settings& settings);

// What `program` has in common with all that runs programs again and again.
void settle(program::RepeatedProgram& program, const ProgramRun& prepared,
            const model::Settings& settings);

// That the program found no device; returns the exit code.
int skipped(const ProgramRun& prepared);
// On standard output, where something does.
void print_varying(std::size_t varying, std::size_t reads);

} // namespace gputest::driver
