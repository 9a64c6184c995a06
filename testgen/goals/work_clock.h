// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time that passes only while this process and its children work, so that other load on the machine
// takes nothing from it.
#pragma once

#include <chrono>
#include <sys/types.h>

namespace gputest::testgen {

// Processor time in seconds, each with that of the children that it has waited for: of this
// process, and of another one (0 if there is none).
double processor_seconds_here();
double processor_seconds(pid_t process);

// The processor time of this process and all its descendants. A family that waits for something
// else does not stop the clock: it goes on at a kIdle-th of the wall clock's speed.
class WorkClock {
public:
  WorkClock();
  double seconds() const; // since it was made

  static constexpr double kIdle = 20;

private:
  using Clock = std::chrono::steady_clock;
  mutable Clock::time_point looked_;
  mutable double family_ = 0, seconds_ = 0;
};

} // namespace gputest::testgen
