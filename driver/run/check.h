// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --check, and --device simulator alone: runs a program whose launches run in the
// simulator.
#pragma once

#include "driver/run/request.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Runs the program, with the checks of --check or none, and prints what was found
// (program/check.h). Returns the exit code. 1: there are findings, the program fails, or nothing
// ran in the simulator. 77: the program ends with 77 before it has launched anything.
int run_check(const ProgramRequest& request);

// Runs the program of a finding's file again, with only the finding's kernel in the simulator.
// `command` replaces the file's. Returns the exit code: Failed where the same is found. Throws
// CommandError.
int replay_check(const std::filesystem::path& file, std::vector<std::string> command);

} // namespace gputest::driver
