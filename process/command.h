// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs programs for code that is in other people's programs, which do not notice it: these
// processes are nobody's children, so there is no SIGCHLD, and wait() and its kind do not find
// them.
#pragma once

#include "process/ended.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gputest::process {

// Returns the file that a command's first word starts: a path, or a name that is looked for in
// $PATH. nullopt: there is none that may be started.
std::optional<std::filesystem::path> find_program(const std::string& word);

struct CommandResult {
  int exit_code = 0;    // 128 + the signal that killed it; 127: it could not be started
  std::string output{}; // standard output and error, interleaved; or why it could not be started
  Ended ended{};
};

// Runs a command and waits for it. arguments[0] is the program's path. `environment`: variables
// that it has in place of this process's. Throws std::runtime_error where there is no file for the
// output.
CommandResult run_command(const std::vector<std::string>& arguments,
                          const std::map<std::string, std::string>& environment = {});

// Starts a command that runs beside this process, and returns its process. It inherits standard
// input, output and error, and has the descriptors `kept` as 3, 4, … Throws std::runtime_error with
// the reason where it cannot be started.
pid_t start_command(const std::vector<std::string>& arguments, const std::vector<int>& kept);

} // namespace gputest::process
