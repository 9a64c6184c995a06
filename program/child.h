// Running the program under test, as a process group of its own.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::program {

struct ChildSettings {
  std::vector<std::string> command;               // the first is looked up in PATH
  std::map<std::string, std::string> environment; // in addition to, or in place of, ours
  double timeout = 0;                             // seconds; 0: none
  std::filesystem::path output; // standard output and error go there; empty: to ours
};

struct ChildResult {
  int exit_code = 0;
  int signal = 0; // that ended it; 0: it exited
  bool timed_out = false;
  double seconds = 0;

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
  // "exit code 3", "killed by SIGSEGV", "still running after 60 s".
  std::string text() const;
};

// Waits for the program. At its time-out, and when SIGINT or SIGTERM come, the whole group is
// killed; the signal then ends this process too. Its input is ours. Throws std::runtime_error if it
// cannot be started.
ChildResult run_child(const ChildSettings& settings);

} // namespace gputest::program
