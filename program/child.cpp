#include "program/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace gputest::program {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array kSignals{SIGCHLD, SIGINT, SIGTERM, SIGHUP};

// Blocks the signals that are waited for while it lives.
class BlockedSignals {
public:
  BlockedSignals() {
    ::sigemptyset(&set_);
    for (const int signal : kSignals)
      ::sigaddset(&set_, signal);
    ::sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { restore(); }

  void restore() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

  // The next of them, or 0 when `until` has come.
  int wait(std::optional<Clock::time_point> until) const {
    if (!until) {
      int signal = 0;
      return ::sigwait(&set_, &signal) == 0 ? signal : 0;
    }
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(*until - Clock::now());
    if (left.count() <= 0)
      return 0;
    const timespec limit{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    const int signal = ::sigtimedwait(&set_, nullptr, &limit);
    return signal > 0 ? signal : errno == EINTR ? SIGCHLD : 0;
  }

private:
  sigset_t set_{}, before_{};
};

[[noreturn]] void become(const ChildSettings& settings, const BlockedSignals& signals, int report) {
  ::setpgid(0, 0);
  if (::isatty(STDIN_FILENO) == 1) { // who reads from the terminal must be in its foreground
    ::signal(SIGTTOU, SIG_IGN);
    ::tcsetpgrp(STDIN_FILENO, ::getpid());
    ::signal(SIGTTOU, SIG_DFL);
  }
  signals.restore();
  if (!settings.output.empty()) {
    const int file = ::open(settings.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::close(file);
  }
  for (const auto& [name, value] : settings.environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : settings.command)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words.front(), words.data());
  const int error = errno;
  const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(written == sizeof error ? 127 : 126);
}

void take_terminal_back() {
  if (::isatty(STDIN_FILENO) != 1)
    return;
  const auto before = ::signal(SIGTTOU, SIG_IGN);
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  ::signal(SIGTTOU, before);
}

} // namespace

std::string ChildResult::text() const {
  if (timed_out)
    return fmt::format("still running after {:.3g} s", seconds);
  if (signal != 0) {
    const char* name = ::sigabbrev_np(signal);
    return name ? fmt::format("killed by SIG{}", name) : fmt::format("killed by signal {}", signal);
  }
  return fmt::format("exit code {}", exit_code);
}

ChildResult run_child(const ChildSettings& settings) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  const BlockedSignals signals;
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0)
    become(settings, signals, ends[1]);
  ::close(ends[1]);
  int error = child < 0 ? errno : 0;
  if (child > 0) {
    ::setpgid(child, child); // whoever of us comes first
    while (::read(ends[0], &error, sizeof error) < 0 && errno == EINTR)
      ;
  }
  ::close(ends[0]);
  if (error != 0) {
    if (child > 0)
      ::waitpid(child, nullptr, 0);
    take_terminal_back();
    throw std::runtime_error(fmt::format("{}: error: cannot be run: {}", settings.command.front(),
                                         std::strerror(error)));
  }

  std::optional<Clock::time_point> until;
  if (settings.timeout > 0)
    until = start + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(settings.timeout));
  ChildResult result;
  int status = 0;
  int ended_by = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const int signal = signals.wait(until);
    if (signal == SIGCHLD)
      continue;
    ended_by = signal;
    result.timed_out = signal == 0;
    ::kill(-child, SIGKILL);
    ::waitpid(child, &status, 0);
    break;
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  take_terminal_back();
  if (ended_by != 0) {
    signals.restore();
    ::raise(ended_by);
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  result.signal = WIFSIGNALED(status) && !result.timed_out ? WTERMSIG(status) : 0;
  return result;
}

} // namespace gputest::program
