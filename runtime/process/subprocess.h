// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs commands, and reads what they print.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace gputest::runtime {

struct CommandResult {
  int exit_code = 0;  // 128 + the signal that killed it; 127: it could not be started
  std::string output; // standard output and error, interleaved
};

// Runs a command and waits for it. arguments[0] is the program's path. Other code of this process
// does not notice: there is no SIGCHLD, and wait() and its kind find no additional child. Throws
// std::runtime_error where there is no file for the output.
CommandResult run_command(const std::vector<std::string>& arguments);

// Starts a command that runs beside this process, and returns its process. It is nobody's child, so
// other code does not notice it either. It inherits standard input, output and error, and has the
// descriptors `kept`, at most 4, as 3, 4, … Throws std::runtime_error with the reason where it
// cannot be started.
pid_t start_command(const std::vector<std::string>& arguments, const std::vector<int>& kept);

} // namespace gputest::runtime
