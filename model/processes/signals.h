// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells who is to blame for a signal that ended a process.
#pragma once

#include <csignal>

namespace gputest::model {

// Returns whether processes raise this signal themselves: SIGSEGV, SIGABRT, SIGFPE and their kind.
// Others send the rest: a person, a system without memory, a limit of the shell.
constexpr bool is_raised_by_itself(int signal) {
  switch (signal) {
  case SIGSEGV:
  case SIGABRT:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
  case SIGTRAP:
  case SIGSYS:
    return true;
  default:
    return false;
  }
}

// Returns whether a program's exit code reports that others ended what it ran. A shell exits with
// 128 and the signal's number if a signal ended its command.
constexpr bool is_exit_code_of_others(int exit_code) {
  constexpr int kOfShells = 128;
  return exit_code == kOfShells + SIGKILL || exit_code == kOfShells + SIGTERM;
}

// A process that others end is started at most this often.
constexpr unsigned kTriesOfEnded = 4;

} // namespace gputest::model
