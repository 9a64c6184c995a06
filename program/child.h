// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the program under test, as a process group of its own.
#pragma once

#include "model/processes/signals.h"

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

namespace gputest::program {

// A program exits with this code if there is no device for it.
constexpr int kSkipped = 77;

struct ChildSettings {
  std::vector<std::string> command; // the first word is looked up in PATH
  // Variables that add to, or replace, those of this process.
  std::map<std::string, std::string> environment;
  double timeout = 0; // seconds; 0: no limit
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

struct ChildResult {
  int exit_code = 0;
  int signal = 0; // the signal that ended it; 0: it exited
  bool timed_out = false;
  double seconds = 0;

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
  // Returns whether another process ended it: by SIGKILL (as a system without memory does),
  // SIGTERM, or another signal that no process raises itself. The exit code of a program may also
  // report this about a program that it ran.
  bool is_ended_by_others() const;
  // Returns "exit code 3", "killed by SIGSEGV", "still running after 60 s".
  std::string text() const;
};

// Programs that run at the same time. The caller gives each a number. At a program's time-out its
// whole group is killed. When SIGINT, SIGTERM or SIGHUP arrive, all groups are killed, and the
// signal then ends this process too. Use one object at a time, in one thread. Children that are
// left over are killed.
class Children {
public:
  Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children();

  // Starts a program. Throws std::runtime_error if it cannot be started.
  void start(std::size_t number, const ChildSettings& settings);
  std::size_t count() const { return running_.size(); }
  // Waits for a program to end, and returns its number and result. One must be running.
  std::pair<std::size_t, ChildResult> wait();
  // As wait(); nullopt: there is something to read from one of the descriptors.
  std::optional<std::pair<std::size_t, ChildResult>> wait(const std::vector<int>& descriptors);
  pid_t process(std::size_t number) const; // returns 0 if it has ended
  // Kills a program, and what it has started.
  void end(std::size_t number);

private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::size_t number;
    pid_t process;
    Clock::time_point start;
    std::optional<Clock::time_point> until;
    bool ends_group; // whether what it started ends with it
  };
  // Returns a signal; 0 at `until`; nullopt: a descriptor can be read.
  std::optional<int> wait_for_signal(std::optional<Clock::time_point> until,
                                     const std::vector<int>& descriptors) const;
  std::optional<std::pair<std::size_t, ChildResult>> ended();
  std::pair<std::size_t, ChildResult> kill(std::size_t index);

  sigset_t signals_{}, before_{};
  int signal_descriptor_ = -1;
  std::vector<Running> running_;
};

// A program that others end is started at most this often.
constexpr unsigned kChildTries = model::kTriesOfEnded;

// Runs a single program.
ChildResult run_child(const ChildSettings& settings);

} // namespace gputest::program
