// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a finding of `gputest run --check` to a file, and looks for it again.
#pragma once

#include "driver/program_arguments.h"
#include "program/opencl/check.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Writes the file (docs/reference/formats.md, "Checks"). `kernel` is that of `found`.
void write_check_replay(const ProgramRun& prepared, const program::KernelChecks& kernel,
                        const program::LaunchFinding& found, const std::filesystem::path& file);

// Returns whether the file is one of these.
bool is_check_replay(const std::filesystem::path& file);

// Runs the program again, with only the finding's kernel in the simulator. Returns the exit code:
// Failed where the same is found. Throws CommandError.
int replay_check(const std::filesystem::path& file, std::vector<std::string> words);

} // namespace gputest::driver
