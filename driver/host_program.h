// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds and runs host programs, for subcommands that run one in place of themselves. No device is
// touched here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Returns the path of the host program: as named, or <name>_harness in the folder of results
// <name>. Throws CommandError.
std::filesystem::path find_harness(const std::filesystem::path& named);

// Runs words[0], looked up in PATH, in place of this process. Throws CommandError.
[[noreturn]] void become(std::vector<std::string> words);

} // namespace gputest::driver
