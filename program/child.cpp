// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/child.h"

#include "model/clock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace gputest::program {
namespace {

constexpr std::array kSignals{SIGCHLD, SIGINT, SIGTERM, SIGHUP};

void redirect(const ChildSettings& settings) {
  const int file = ::open(settings.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int nothing = ::open("/dev/null", O_RDWR);
  // Opens the input anew, so that positions of other processes do not matter.
  int input = -1;
  if (settings.input_from) {
    input = ::open("/proc/self/fd/0", O_RDONLY);
    ::lseek(input, *settings.input_from, SEEK_SET); // fails if it is closed
  }
  ::dup2(input < 0 ? nothing : input, STDIN_FILENO);
  ::close(input);
  ::dup2(file < 0 ? nothing : file, STDOUT_FILENO);
  ::dup2(file < 0 ? nothing : file, STDERR_FILENO);
  ::close(file);
  ::close(nothing);
}

// Puts the child into the terminal's foreground, because only there it can read from the terminal.
void take_terminal() {
  if (::isatty(STDIN_FILENO) != 1)
    return;
  const auto before = ::signal(SIGTTOU, SIG_IGN);
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  ::signal(SIGTTOU, before);
}

[[noreturn]] void become(const ChildSettings& settings, const sigset_t& signals, int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nothing else would end it
  ::setpgid(0, 0);
  if (settings.output.empty())
    take_terminal();
  else
    redirect(settings);
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  if (settings.descriptor >= 0)
    ::fcntl(settings.descriptor, F_SETFD, 0);
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

} // namespace

std::optional<std::int64_t> repeatable_input() {
  struct stat input{}, nothing{};
  if (::fstat(STDIN_FILENO, &input) != 0)
    return std::nullopt;
  if (S_ISREG(input.st_mode))
    return ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (S_ISCHR(input.st_mode) && ::stat("/dev/null", &nothing) == 0 &&
      input.st_rdev == nothing.st_rdev)
    return 0;
  return std::nullopt;
}

std::string ChildResult::text() const {
  if (timed_out)
    return fmt::format("still running after {:.3g} s", seconds);
  if (signal != 0) {
    const char* name = ::sigabbrev_np(signal);
    return name ? fmt::format("killed by SIG{}", name) : fmt::format("killed by signal {}", signal);
  }
  return fmt::format("exit code {}", exit_code);
}

bool ChildResult::is_ended_by_others() const {
  if (timed_out)
    return false;
  if (signal != 0)
    return !model::is_raised_by_itself(signal);
  return model::is_exit_code_of_others(exit_code);
}

Children::Children() {
  ::sigemptyset(&signals_);
  for (const int signal : kSignals)
    ::sigaddset(&signals_, signal);
  ::sigprocmask(SIG_BLOCK, &signals_, &before_);
  signal_descriptor_ = ::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
}

Children::~Children() {
  while (!running_.empty())
    kill(running_.size() - 1);
  ::close(signal_descriptor_);
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void Children::start(std::size_t number, const ChildSettings& settings) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make a pipe");
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0)
    become(settings, before_, ends[1]);
  ::close(ends[1]);
  int error = child < 0 ? errno : 0;
  if (child > 0) {
    ::setpgid(child, child); // parent or child, whichever comes first
    while (::read(ends[0], &error, sizeof error) < 0 && errno == EINTR)
      ;
  }
  ::close(ends[0]);
  if (error != 0) {
    if (child > 0)
      ::waitpid(child, nullptr, 0);
    take_terminal();
    throw std::runtime_error(fmt::format("{}: error: cannot be run: {}", settings.command.front(),
                                         std::strerror(error)));
  }
  running_.push_back({number, child, start, std::nullopt, !settings.output.empty()});
  if (settings.timeout > 0)
    running_.back().until = start + clock_duration(settings.timeout);
}

std::optional<int> Children::wait_for_signal(std::optional<Clock::time_point> until,
                                             const std::vector<int>& descriptors) const {
  std::vector<pollfd> watched{{signal_descriptor_, POLLIN, 0}};
  for (const int descriptor : descriptors)
    watched.push_back({descriptor, POLLIN, 0});
  std::optional<timespec> limit;
  if (until) {
    const auto left = std::max<std::int64_t>(
        0, std::chrono::duration_cast<std::chrono::nanoseconds>(*until - Clock::now()).count());
    limit = timespec{left / 1'000'000'000, left % 1'000'000'000};
  }
  const int ready = ::ppoll(watched.data(), watched.size(), limit ? &*limit : nullptr, nullptr);
  if (ready == 0)
    return 0;
  signalfd_siginfo signal{};
  if (ready > 0 && (watched.front().revents & POLLIN) != 0 &&
      ::read(signal_descriptor_, &signal, sizeof signal) == sizeof signal)
    return static_cast<int>(signal.ssi_signo);
  if (ready > 0 && watched.front().revents == 0)
    return std::nullopt;
  return SIGCHLD; // look again
}

std::optional<std::pair<std::size_t, ChildResult>> Children::ended() {
  for (auto child = running_.begin(); child != running_.end(); ++child) {
    int status = 0;
    if (::waitpid(child->process, &status, WNOHANG) == 0)
      continue;
    ChildResult result;
    result.seconds = seconds_since(child->start);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const std::size_t number = child->number;
    if (child->ends_group)
      ::kill(-child->process, SIGKILL);
    running_.erase(child);
    return std::pair(number, result);
  }
  return std::nullopt;
}

std::pair<std::size_t, ChildResult> Children::kill(std::size_t index) {
  const Running child = running_[index];
  ::kill(-child.process, SIGKILL);
  ::waitpid(child.process, nullptr, 0);
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(index));
  ChildResult result;
  result.timed_out = true;
  result.seconds = seconds_since(child.start);
  return {child.number, result};
}

std::pair<std::size_t, ChildResult> Children::wait() {
  return *wait({}); // without descriptors always one
}

std::optional<std::pair<std::size_t, ChildResult>>
Children::wait(const std::vector<int>& descriptors) {
  for (;;) {
    if (const auto child = ended()) {
      take_terminal();
      return child;
    }
    const auto next = std::ranges::min_element(running_, {}, [](const Running& child) {
      return child.until.value_or(Clock::time_point::max());
    });
    const std::optional<int> signal = wait_for_signal(next->until, descriptors);
    if (!signal)
      return std::nullopt;
    if (*signal == SIGCHLD)
      continue;
    if (*signal == 0) {
      const auto result = kill(static_cast<std::size_t>(next - running_.begin()));
      take_terminal();
      return result;
    }
    while (!running_.empty())
      kill(running_.size() - 1);
    take_terminal();
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    ::raise(*signal);
    throw std::runtime_error("interrupted");
  }
}

pid_t Children::process(std::size_t number) const {
  const auto child = std::ranges::find(running_, number, &Running::number);
  return child != running_.end() ? child->process : 0;
}

void Children::end(std::size_t number) {
  const auto child = std::ranges::find(running_, number, &Running::number);
  if (child != running_.end())
    kill(static_cast<std::size_t>(child - running_.begin()));
}

ChildResult run_child(const ChildSettings& settings) {
  Children children;
  children.start(0, settings);
  return children.wait().second;
}

} // namespace gputest::program
