// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what people call a command: the program in "env A=1 ./suite", the script in "python3
// suite.py".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::driver {

struct ProgramName {
  std::string name;        // name of the file, without the ending of a script
  std::size_t program = 0; // its index in the command, after env, nice and the like
  std::optional<std::filesystem::path> script; // the script that an interpreter runs
};

// `command` must not be empty.
ProgramName name_of(const std::vector<std::string>& command);

} // namespace gputest::driver
