// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/child.h"

#include "ir/error.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace gputest::testgen {
namespace {

constexpr std::chrono::milliseconds kStep{2};

} // namespace

Child::Child(const std::function<void()>& work) {
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0)
    throw simulator::SimulatorFailure("cannot start a process");
  if (process_ != 0) {
    ::setpgid(process_, process_); // parent and child both do it, because either may be first
    return;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  int code = 1;
  if (::getppid() == parent)
    try {
      work();
      code = 0;
    } catch (...) { // the exit code says it
    }
  ::_exit(code);
}

Child::~Child() {
  if (process_ <= 0)
    return;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool Child::wait(Deadline until) {
  while (process_ > 0) {
    int status = 0;
    rusage used{};
    const pid_t ended = ::wait4(process_, &status, WNOHANG, &used);
    if (ended == process_) {
      for (const timeval& time : {used.ru_utime, used.ru_stime})
        seconds_ += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
      ::kill(-process_, SIGKILL); // processes that it has left behind
      process_ = -1;
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    if (ended < 0 || until.over())
      return false;
    std::this_thread::sleep_for(kStep);
  }
  return false;
}

} // namespace gputest::testgen
