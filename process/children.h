// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs programs under test, each as a process group of its own.
#pragma once

#include "process/child.h"
#include "process/end_signals.h"
#include "process/state.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace gputest::process {

struct ChildSettings {
  std::vector<std::string> command; // the first word is looked up in PATH
  // Variables that add to, or replace, those of this process.
  std::map<std::string, std::string> environment;
  double timeout = 0; // seconds of its own (ExtendedLimit); 0: no limit
  // A file for standard output and error. There is then no input, and what the child started ends
  // with it. Empty: output and input are those of this process.
  std::filesystem::path output;
  // With `output`: the child's input is that of this process, which must be a file, from this byte
  // on; nullopt: no input.
  std::optional<std::int64_t> input_from{};
  // A descriptor of this process that the child has as well, whatever its flags; -1: none.
  int descriptor = -1;
};

// Returns the position in the input of this process, if another program can be given the same
// input; 0 for /dev/null. nullopt: the input is a pipe or a terminal.
std::optional<std::int64_t> repeatable_input();

// Programs that run at the same time. The caller gives each a number. At a program's time-out its
// whole group is killed. When SIGINT, SIGTERM or SIGHUP arrive, all groups are killed, and the
// signal then ends this process too. Use one object at a time, in one thread. Children that are
// left over are killed.
class Children {
public:
  // Starts a program. Throws std::runtime_error if it cannot be started.
  void start(std::size_t number, const ChildSettings& settings);
  std::size_t count() const { return running_.size(); }
  // Waits for a program to end, and returns its number and result. One must be running.
  std::pair<std::size_t, Ended> wait();
  // As wait(); nullopt: there is something to read from one of the descriptors.
  std::optional<std::pair<std::size_t, Ended>> wait(const std::vector<int>& descriptors);
  pid_t process(std::size_t number) const; // returns 0 if it has ended
  // Kills a program, and what it has started.
  void end(std::size_t number);

private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::size_t number;
    Child child;
    double timeout;
    Clock::time_point begin;
    std::optional<Clock::time_point> until{};
    ExtendedLimit limit{};
  };
  // Returns a signal; 0 at `until`; nullopt: a descriptor can be read.
  std::optional<int> wait_for_signal(std::optional<Clock::time_point> until,
                                     const std::vector<int>& descriptors) const;
  std::optional<std::pair<std::size_t, Ended>> ended();
  static bool extend(Running& running);

  EndSignals signals_{SIGCHLD};
  std::vector<Running> running_;
};

// Runs a single program.
Ended run_child(const ChildSettings& settings);

} // namespace gputest::process
