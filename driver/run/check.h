// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --check, and --device simulator for other analyses: runs a program whose launches run
// in the simulator.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"

#include <optional>

namespace gputest::driver {

// Adds --device, --groups, --items, --order-seed, --launch-timeout.
void add_simulator_run_options(cxxopts::Options& options);

// Returns how the program's launches run in the simulator, as the options say; nullopt: they do
// not. `checks`: the settings of --check; nullptr: it is not given. Throws CommandError for other
// devices, and for options of the simulator without it.
std::optional<runtime::SimulatedProgram> simulator_settings(const cxxopts::ParseResult& arguments,
                                                            const model::Settings* checks);

// Runs the program, with the checks of --check or none. Writes
// <output>/<source>.<kernel>/check.json and prints what was found. Returns the exit code. 1: there
// are findings, the program fails, or nothing ran in the simulator. 77: the program ends with 77
// before it has launched anything.
int run_check(const ProgramRun& prepared, const model::Settings& settings,
              const cxxopts::ParseResult& arguments);

// Prints what the simulator found in a run that measures something else. Returns true if it found
// nothing.
bool print_findings(const program::RunRecords& records);

} // namespace gputest::driver
