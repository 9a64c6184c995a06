// Runs the program under test, as a process group of its own.
#pragma once

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
  // In addition to, or in place of, that of this process.
  std::map<std::string, std::string> environment;
  double timeout = 0; // seconds; 0: none
  // A file for standard output and error. There is then no input, and what the child started ends
  // with it. Empty: output and input are those of this process.
  std::filesystem::path output;
  // With `output`: the input of this process, which is a file, from this byte on.
  std::optional<std::int64_t> input_from{};
  int descriptor = -1; // one of this process that the child has, too, whatever its flags; -1: none
};

// The position in the input of this process, if another program can be given the same input.
// nullopt if the input is a pipe or a terminal. 0 for /dev/null.
std::optional<std::int64_t> repeatable_input();

struct ChildResult {
  int exit_code = 0;
  int signal = 0; // the signal that ended it; 0: it exited
  bool timed_out = false;
  double seconds = 0;

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
  // Whether somebody else ended it: by SIGKILL (as a system without memory does), SIGTERM, or
  // another signal that no process raises by what it does. Its exit code may also report this about
  // a program that it ran.
  bool is_ended_by_others() const;
  // "exit code 3", "killed by SIGSEGV", "still running after 60 s".
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

  // Throws std::runtime_error if it cannot be started.
  void start(std::size_t number, const ChildSettings& settings);
  std::size_t count() const { return running_.size(); }
  // Waits for one of them to end. There must be one.
  std::pair<std::size_t, ChildResult> wait();
  // The same; nothing, if there is something to read from one of the descriptors.
  std::optional<std::pair<std::size_t, ChildResult>> wait(const std::vector<int>& descriptors);
  pid_t process(std::size_t number) const; // 0: it has ended
  // Kills it, and what it has started.
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
  // A signal; 0 at `until`; nothing, if a descriptor can be read.
  std::optional<int> wait_for_signal(std::optional<Clock::time_point> until,
                                     const std::vector<int>& descriptors) const;
  std::optional<std::pair<std::size_t, ChildResult>> ended();
  std::pair<std::size_t, ChildResult> kill(std::size_t index);

  sigset_t signals_{}, before_{};
  int signal_descriptor_ = -1;
  std::vector<Running> running_;
};

// How often a program is started that somebody else ends.
constexpr unsigned kChildTries = 4;

// Runs a single program.
ChildResult run_child(const ChildSettings& settings);

} // namespace gputest::program
