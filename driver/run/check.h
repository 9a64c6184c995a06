// gputest run --check, and --device simulator of the others: a program whose launches run in the
// simulator.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"

#include <optional>

namespace gputest::driver {

// --device, --groups, --items, --order-seed, --launch-timeout.
void add_simulator_run_options(cxxopts::Options& options);

// Where the program's launches are to run in the simulator, how: as the options say. `checks`: the
// settings of --check; nullptr: it is not given. Throws CommandError for other devices, and for
// options of the simulator without it.
std::optional<runtime::SimulatedProgram> simulator_settings(const cxxopts::ParseResult& arguments,
                                                            const model::Settings* checks);

// Runs the program, with the checks of --check or none, writes
// <output>/<source>.<kernel>/check.json, and prints what was found. Returns the exit code: 1 with
// findings, if the program fails or nothing ran in the simulator; 77 if the program ends with that
// before it has launched anything.
int run_check(const ProgramRun& prepared, const model::Settings& settings,
              const cxxopts::ParseResult& arguments);

// Prints what the simulator found in a run that measures something else. Returns whether that is
// nothing.
bool print_findings(const program::RunRecords& records);

} // namespace gputest::driver
