// Running the program under test, as a process group of its own.
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

// With this exit code a program says that there is no device for it.
constexpr int kSkipped = 77;

struct ChildSettings {
  std::vector<std::string> command;               // the first is looked up in PATH
  std::map<std::string, std::string> environment; // in addition to, or in place of, ours
  double timeout = 0;                             // seconds; 0: none
  std::filesystem::path output; // standard output and error go there, and there is no input; empty:
                                // ours, and our input. Then what it started ends with it
  // With `output`: our input, which is a file, from this byte on.
  std::optional<std::int64_t> input_from{};
};

// Where our input stands, if another program can be given the same input; nullopt: it is a pipe or
// a terminal. /dev/null stands at 0.
std::optional<std::int64_t> repeatable_input();

struct ChildResult {
  int exit_code = 0;
  int signal = 0; // that ended it; 0: it exited
  bool timed_out = false;
  double seconds = 0;

  bool succeeded() const { return exit_code == 0 && signal == 0 && !timed_out; }
  // By SIGKILL, as a system does that has no memory left, by SIGTERM, or by another signal that no
  // process raises by what it does; or that is what its exit code says of a program it ran.
  bool is_ended_by_others() const;
  // "exit code 3", "killed by SIGSEGV", "still running after 60 s".
  std::string text() const;
};

// Programs that run at the same time, each known by a number of the caller's. At its time-out, and
// when SIGINT, SIGTERM or SIGHUP come, a whole group is killed; the signal then ends this process
// too. One object at a time, in one thread; children left over are killed.
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

private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::size_t number;
    pid_t process;
    Clock::time_point start;
    std::optional<Clock::time_point> until;
    bool ends_group; // what it started ends with it
  };
  int wait_for_signal(std::optional<Clock::time_point> until) const;
  std::optional<std::pair<std::size_t, ChildResult>> ended();
  std::pair<std::size_t, ChildResult> kill(std::size_t index);

  sigset_t signals_{}, before_{};
  std::vector<Running> running_;
};

// So often a program is started anew that others have ended.
constexpr unsigned kChildTries = 4;

// One of them alone.
ChildResult run_child(const ChildSettings& settings);

} // namespace gputest::program
