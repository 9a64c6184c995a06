// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/exec.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: only some systems declare it

namespace gputest::process {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 10; // and room for the words of a script
constexpr std::size_t kMostDescriptors = 8;

} // namespace

Execution::Execution(const Program& program) : program_(program), parent_(::getpid()) {
  for (const std::string& word : program.words)
    words_.push_back(const_cast<char*>(word.c_str()));
  words_.push_back(nullptr);
  for (const auto& [name, value] : program.environment)
    variables_.push_back(name + '=' + value);
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    if (!program.environment.contains(std::string(text.substr(0, text.find('=')))))
      environment_.push_back(*variable);
  }
  for (std::string& variable : variables_)
    environment_.push_back(variable.data());
  environment_.push_back(nullptr);
  stack_size_ = kStackBytes + 2 * words_.size() * sizeof(char*);
  stack_.reset(new std::byte[stack_size_]);
}

// Changes the new process's own table of descriptors.
bool Execution::set_up() const {
  if (program_.group != Group::Ours)
    ::setpgid(0, 0);
  if (program_.ends_with_us) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent_)
      return false;
  }
  if (program_.has_terminal)
    take_terminal();
  if (!program_.folder.empty() && ::chdir(program_.folder.c_str()) != 0)
    return false;
  // Moves descriptors out of the way first, because one may be where another goes.
  int above = STDERR_FILENO + 1;
  for (const auto& [ours, theirs] : program_.descriptors)
    above = std::max(above, theirs + 1);
  std::array<int, kMostDescriptors> moved{};
  for (std::size_t i = 0; i < program_.descriptors.size(); ++i) {
    moved[i] = ::fcntl(program_.descriptors[i].first, F_DUPFD_CLOEXEC, above);
    if (moved[i] < 0)
      return false;
  }
  for (std::size_t i = 0; i < program_.descriptors.size(); ++i)
    if (::dup2(moved[i], program_.descriptors[i].second) < 0)
      return false;
  if (how_.closes) // an old kernel lacks this call, and keeps them open
    ::close_range(static_cast<unsigned>(above), ~0u, 0);
  return true;
}

int Execution::become(void* self) {
  auto& execution = *static_cast<Execution*>(self);
  // No handler of this process may run in the new one, which shares its memory.
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action{};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN ||
        action.sa_handler == SIG_DFL)
      continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
  if (execution.set_up()) {
    ::sigprocmask(SIG_SETMASK, &execution.blocked_, nullptr);
    ::execvpe(execution.words_[0], execution.words_.data(), execution.environment_.data());
  }
  execution.error_ = errno;
  ::_exit(127);
}

pid_t Execution::clone(int (*function)(void*), std::byte* stack, int flags) {
  auto end = reinterpret_cast<std::uintptr_t>(stack + stack_size_); // it grows down
  end -= end % 64;
  const pid_t process =
      ::clone(function, reinterpret_cast<void*>(end), CLONE_VM | CLONE_VFORK | flags, this);
  if (process < 0)
    error_ = errno;
  return process;
}

pid_t Execution::start() {
  if (program_.words.empty() || program_.descriptors.size() > kMostDescriptors) {
    error_ = E2BIG;
    return -1;
  }
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before); // no handler runs in our children
  blocked_ = program_.blocked.value_or(before);
  const pid_t process = clone(become, stack_.get(), SIGCHLD);
  if (process > 0 && error_ != 0)
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR)
      ;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error_ == 0 ? process : -1;
}

// Programs under the layer wait for their own children, and must not meet ours. So the command runs
// in a grandchild. The child between ends without a signal, so only __WCLONE sees it. It never
// executes another program, because that would make it an ordinary child.
int Execution::start_from_between(void* self) {
  auto& execution = *static_cast<Execution*>(self);
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  // Otherwise a program that ignores it could not wait for its child.
  ::sigaction(SIGCHLD, &usual, nullptr);
  execution.process_ = execution.clone(become, execution.second_stack_.get(), SIGCHLD);
  if (execution.process_ > 0 && execution.how_.waits) {
    int status = 0;
    pid_t ended = 0;
    do
      ended = ::waitpid(execution.process_, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended > 0)
      execution.status_ = status;
  }
  ::_exit(0);
}

pid_t Execution::start_as_nobodys(const Nobodys& how) {
  how_ = how;
  second_stack_.reset(new std::byte[stack_size_]);
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &blocked_);
  const pid_t between = clone(start_from_between, stack_.get(), 0);
  if (between > 0)
    while (::waitpid(between, nullptr, __WCLONE) < 0 && errno == EINTR)
      ;
  ::pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
  return error_ == 0 ? process_ : -1;
}

std::string Execution::problem() const {
  return error_ == 0 ? ""
                     : program_.words.at(0) + ": error: cannot be run: " + std::strerror(error_);
}

void take_terminal() {
  if (::isatty(STDIN_FILENO) != 1)
    return;
  const auto before = ::signal(SIGTTOU, SIG_IGN);
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  ::signal(SIGTTOU, before);
}

} // namespace gputest::process
