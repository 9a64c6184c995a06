// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a process has ended, and the one rule of who is to blame for it.
//
// What others did to a process, such as a person or a system without memory, is no verdict on what
// ran in it. It runs again, at most kTries times in a row; after that nothing is known about it.
#pragma once

#include <csignal>
#include <string>

namespace gputest::process {

// Something that others end is started at most this often in a row.
constexpr unsigned kTries = 4;

// The variable that names a file, to which a CUDA program's library writes how others have ended
// the program's simulator: "by SIGKILL". What the program did then is no verdict.
constexpr const char* kSimulatorLost = "GPUTEST_CUDA_SIMULATOR_LOST";

// Returns "SIGSEGV". A number without a well-known name is "signal 42".
std::string signal_name(int signal);

// The exit code of a process that has not got what it needs of the system: as if others had ended
// it by SIGKILL.
constexpr int kEndedByOthers = 128 + SIGKILL;

struct Ended {
  int exit_code = 0;
  int signal = 0;               // the signal that ended it; 0: it exited
  bool timed_out = false;       // it ran for too long, and was killed for that
  bool is_unknown = false;      // another part of this program has waited for it
  double seconds = 0;           // by the clock
  double processor_seconds = 0; // its own, and those of what it has waited for

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out && !is_unknown; }
  // Returns whether others have ended it: by SIGKILL (as a system without memory does), SIGTERM, or
  // another signal that no process raises itself. The exit code of a program may also report this
  // about a program that it ran.
  bool by_others() const;
  // Returns "exit code 3", "killed by SIGSEGV", "still running after 60 s".
  std::string text() const;
};

// The runs of one thing that others may end.
class Tries {
public:
  // Notes how a run has ended. `how`: in words, if others have ended it, or what it needs; empty:
  // they have not. Returns whether to run it again, and then says so on standard error.
  bool again(const std::string& how);
  // The same, of a process that `what` names: "the process in which 'k' ran".
  bool again(const Ended& ended, const std::string& what) {
    return again(!ended.by_others()  ? std::string()
                 : ended.signal != 0 ? what + " was " + ended.text()
                                     : what + ": " + ended.text());
  }
  // Returns what is to be said if others have ended the last kTries runs; empty: they have not.
  const std::string& given_up() const { return given_up_; }

private:
  unsigned count_ = 0;
  std::string given_up_;
};

} // namespace gputest::process
