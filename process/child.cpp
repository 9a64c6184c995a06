// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/child.h"

#include "process/exec.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gputest::process {
namespace {

constexpr std::chrono::milliseconds kStep{2};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

} // namespace

Ended ended_with(int status) {
  Ended ended;
  ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return ended;
}

Child::Child(pid_t id, Group group)
    : id_(id), owner_(::getpid()), group_(group), start_(std::chrono::steady_clock::now()) {
  if (group != Group::Ours)
    ::setpgid(id, id); // parent and child both do it, because either may be first
}

Child::Child(Child&& other) noexcept {
  *this = std::move(other);
}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other)
    return *this;
  end();
  id_ = std::exchange(other.id_, 0);
  owner_ = other.owner_;
  group_ = other.group_;
  is_here_ = other.is_here_;
  start_ = other.start_;
  return *this;
}

Child Child::fork(Group group) {
  std::fflush(nullptr); // or both would print it
  const pid_t parent = ::getpid();
  const pid_t id = ::fork();
  if (id < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (id > 0)
    return Child(id, group);
  if (group != Group::Ours)
    ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nothing else would end it
  if (::getppid() != parent)
    ::_exit(1);
  Child here;
  here.is_here_ = true;
  return here;
}

Child Child::fork(const std::function<void()>& work, Group group) {
  Child child = fork(group);
  if (!child.is_here())
    return child;
  try {
    work();
  } catch (...) { // the exit code says it
    ::_exit(1);
  }
  ::_exit(0);
}

Child Child::start(const Program& program) {
  Execution execution(program);
  const pid_t id = execution.start();
  if (id < 0)
    throw std::runtime_error(execution.problem());
  return Child(id, program.group);
}

bool Child::is_ours() const {
  return runs() && owner_ == ::getpid();
}

std::optional<Ended> Child::reap(int options) {
  Ended ended;
  siginfo_t info{};
  int failed = 0;
  // It stays a process until its group has ended, so that the group's number is no other's.
  while ((failed = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT | options)) !=
             0 &&
         errno == EINTR)
    ;
  if (failed == 0 && info.si_pid == 0)
    return std::nullopt;
  if (group_ == Group::Own)
    ::kill(-id_, SIGKILL);
  int status = 0;
  rusage used{};
  pid_t reaped = 0;
  while ((reaped = ::wait4(id_, &status, 0, &used)) < 0 && errno == EINTR)
    ;
  if (reaped == id_)
    ended = ended_with(status);
  else
    ended.is_unknown = true;
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  ended.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  id_ = 0;
  return ended;
}

std::optional<Ended> Child::look() {
  return reap(WNOHANG);
}

Ended Child::wait() {
  return *reap(0);
}

std::optional<Ended> Child::wait(const std::function<bool()>& over) {
  while (true) {
    if (const std::optional<Ended> ended = look())
      return ended;
    if (over())
      return std::nullopt;
    std::this_thread::sleep_for(kStep);
  }
}

Ended Child::end() {
  if (!is_ours()) {
    id_ = 0;
    return {};
  }
  if (group_ != Group::Ours)
    ::kill(-id_, SIGKILL);
  ::kill(id_, SIGKILL);
  return wait();
}

} // namespace gputest::process
