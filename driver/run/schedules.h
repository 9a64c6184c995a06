// gputest run --schedules: does a program depend on the order of work-groups and work-items?
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"

namespace gputest::driver {

// Throws CommandError.
void check_schedules_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

// Runs the program, writes <output>/<source>.<kernel>/schedules.json with a schedule beside it for
// each finding, and reports. Returns the exit code: 1 if there is a finding, the program fails as
// launched, or a kernel could not be run in other orders; 77 if the program ends with that before
// it has launched anything.
int run_schedules(const ProgramRun& prepared, const model::Settings& settings,
                  const cxxopts::ParseResult& arguments);

// Runs the program of a schedule file as launched and under it, `repeat` times. Returns 1 if that
// makes a difference. `command`: instead of the file's; empty: that, in the folder it names. Throws
// CommandError.
int replay_program(const std::filesystem::path& file, std::vector<std::string> command,
                   unsigned repeat);

} // namespace gputest::driver
