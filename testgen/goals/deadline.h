// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time by which something must end. Everything that may take long gets a deadline.
//
// A deadline is one of the wall clock, or of a WorkClock: then what can be done before it is the
// same on a busy machine.
#pragma once

#include "model/clock.h"
#include "testgen/goals/work_clock.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace gputest::testgen {

class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default; // never passes
  static Deadline after(double seconds) {
    Deadline deadline;
    if (seconds < 1e8) // three years; more does not fit a clock of nanoseconds
      deadline.time_ = Clock::now() + model::clock_duration(seconds);
    return deadline;
  }
  // When `clock` says `seconds`. The clock must outlive the deadline and its copies.
  static Deadline at(const WorkClock& clock, double seconds) {
    Deadline deadline;
    deadline.work_ = &clock;
    deadline.work_end_ = seconds;
    return deadline;
  }

  // This deadline, or `seconds` from now by its clock if that is earlier.
  Deadline within(double seconds) const {
    if (!work_)
      return or_earlier(after(seconds));
    Deadline deadline = *this;
    deadline.work_end_ = std::min(work_end_, work_->seconds() + seconds);
    return deadline;
  }

  bool over() const {
    return (time_ != Clock::time_point::max() && Clock::now() >= time_) ||
           (work_ && work_->seconds() >= work_end_);
  }
  // Seconds until it may pass, at least 0; 1e9 if it never does. By the wall clock it may be later.
  double left() const {
    double seconds = 1e9;
    if (time_ != Clock::time_point::max())
      seconds = std::chrono::duration<double>(time_ - Clock::now()).count();
    if (work_)
      seconds = std::min(seconds, work_end_ - work_->seconds());
    return std::max(0.0, seconds);
  }
  // Passes when either does. At most one of them is of a WorkClock.
  Deadline or_earlier(Deadline other) const {
    Deadline both = *this;
    both.time_ = std::min(time_, other.time_);
    if (other.work_) {
      both.work_ = other.work_;
      both.work_end_ = other.work_end_;
    }
    return both;
  }

private:
  Clock::time_point time_ = Clock::time_point::max();
  const WorkClock* work_ = nullptr;
  double work_end_ = 0;
};

// Thrown when a deadline passes before there is a result that the caller needs.
class OutOfTime : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace gputest::testgen
