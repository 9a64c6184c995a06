// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends SIGINT, SIGTERM and SIGHUP to a descriptor while an object lives. They do not end the
// process, so that it can first end what it has started.
#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <sys/signalfd.h>
#include <unistd.h>

namespace gputest::process {

class EndSignals {
public:
  // `more`: further signals that are sent there. Throws std::runtime_error.
  explicit EndSignals(std::initializer_list<int> more = {}) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      sigaddset(&signals, signal);
    for (const int signal : more)
      sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, &before_);
    descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
    if (descriptor_ < 0) {
      restore();
      throw std::runtime_error("signals cannot be waited for");
    }
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals() {
    ::close(descriptor_);
    restore();
  }

  // From now on the signals end the process again. A signal that has arrived and was not taken does
  // so at once.
  void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  // The signal mask for programs that this one starts.
  const sigset_t& before() const { return before_; }

  int descriptor() const { return descriptor_; } // to wait for
  // Waits for a signal and returns its number; nullopt: it cannot be read.
  std::optional<int> take() const {
    signalfd_siginfo info{};
    return ::read(descriptor_, &info, sizeof info) == sizeof info
               ? std::optional(static_cast<int>(info.ssi_signo))
               : std::nullopt;
  }

private:
  sigset_t before_{};
  int descriptor_ = -1;
};

} // namespace gputest::process
