// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --schedules: finds out whether a program depends on the order of work-groups and
// work-items.
#pragma once

#include "driver/run/request.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Throws CommandError.
void check_schedules_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

// Runs the program, writes <output>/<source>.<kernel>/schedules.json with a schedule beside it for
// each finding, and reports. Returns the exit code. 1: there is a finding, the program fails as
// launched, or a kernel could not run in other orders. 77: the program ends with 77 before it has
// launched anything.
int run_schedules(const ProgramRequest& request);

// Runs the program of a schedule file as launched and under that schedule, `repeat` times. Returns
// 1 if that makes a difference. `command` replaces the file's; empty: the file's command runs, in
// the folder that the file names. Throws CommandError.
int replay_program(const std::filesystem::path& file, std::vector<std::string> command,
                   unsigned repeat);

} // namespace gputest::driver
