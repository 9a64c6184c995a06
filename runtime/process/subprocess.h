// Running a command and reading what it prints.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace gputest::runtime {

struct CommandResult {
  int exit_code = 0;  // 128 + signal if it was killed by one, 127 if it cannot be started
  std::string output; // standard output and error, interleaved
};

// arguments[0] is the program's path. Nobody else in this process notices: there is no SIGCHLD, and
// wait() and its kind find no child that they would not find otherwise.
CommandResult run_command(const std::vector<std::string>& arguments);

// Starts a command that runs beside this process, unnoticed in the same way: it is nobody's child.
// Starts a command, which inherits standard input, output and error, and `kept` as 3, 4, …
// Returns its process. Throws std::runtime_error, with the reason, where it cannot be started.
pid_t start_command(const std::vector<std::string>& arguments, const std::vector<int>& kept);

} // namespace gputest::runtime
