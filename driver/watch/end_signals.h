// SIGINT and SIGTERM arrive at a descriptor while an object lives, so that what goes on can be
// ended in order.
#pragma once

#include <csignal>

namespace gputest::driver {

class EndSignals {
public:
  EndSignals(); // throws CommandError
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  int descriptor() const { return descriptor_; }     // to wait for
  const sigset_t& before() const { return before_; } // the mask for programs that are started

private:
  sigset_t before_{};
  int descriptor_ = -1;
};

} // namespace gputest::driver
