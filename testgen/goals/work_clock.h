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

// A clock of this process and all its descendants, which counts one of these:
enum class Counts {
  // Processor time. A family that waits for something does not stop the clock: it goes on at a
  // kIdle-th of the wall clock's speed.
  Work,
  // The wall clock's time, without what the family has waited for a processor that others had. So a
  // family that waits for a device, or sleeps, counts in full; on a machine with nothing else to do
  // it is the wall clock. The clock is as fast as the family works at least, and never slower than
  // a kIdle-th of the wall clock. Where the kernel does not tell what waits for a processor
  // (/proc/<process>/task/<thread>/schedstat), it is the wall clock.
  Time,
};

class WorkClock {
public:
  explicit WorkClock(Counts counts = Counts::Work);
  double seconds() const; // since it was made

  static constexpr double kIdle = 20;

private:
  using Clock = std::chrono::steady_clock;
  struct Family {
    double worked = 0,
           queued = 0; // seconds; those in the queue for a processor are of Counts::Time
  };
  Family family() const;

  Counts counts_;
  mutable Clock::time_point looked_, next_;
  mutable Family family_;
  mutable double seconds_ = 0;
};

} // namespace gputest::testgen
