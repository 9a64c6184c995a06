// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command of a program that runs again, as the file of a finding says.
#pragma once

#include "driver/program_arguments.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Returns `words`, if there are any, which run here. Otherwise returns `command` of `file`, and
// makes `directory` the working directory. Throws CommandError.
std::vector<std::string> replayed_command(const std::filesystem::path& file,
                                          std::vector<std::string> words,
                                          const std::vector<std::string>& command,
                                          const std::filesystem::path& directory);

} // namespace gputest::driver
