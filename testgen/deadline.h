// The time by which something must end. Everything that may take long gets a deadline.
#pragma once

#include "model/clock.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace gputest::testgen {

class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default; // never passes
  static Deadline after(double seconds) { return from(Clock::now(), seconds); }
  static Deadline from(Clock::time_point begin, double seconds) {
    Deadline deadline;
    if (seconds < 1e8) // three years; more does not fit a clock of nanoseconds
      deadline.time_ = begin + clock_duration(seconds);
    return deadline;
  }

  Clock::time_point time() const { return time_; }
  bool over() const { return time_ != Clock::time_point::max() && Clock::now() >= time_; }
  double left() const { // seconds, at least 0; 1e9 if it never passes
    return time_ == Clock::time_point::max()
               ? 1e9
               : std::max(0.0, std::chrono::duration<double>(time_ - Clock::now()).count());
  }
  Deadline or_earlier(Deadline other) const { return other.time_ < time_ ? other : *this; }

private:
  Clock::time_point time_ = Clock::time_point::max();
};

// Thrown when a deadline passes before there is a result that the caller needs.
class OutOfTime : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace gputest::testgen
