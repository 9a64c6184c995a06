// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A time after which an analysis begins no run (docs/mutation.md, "A time limit").
#pragma once

#include "model/clock.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace gputest::program {

class TimeLimit {
public:
  TimeLimit() = default; // never
  explicit TimeLimit(double seconds)
      : end_(std::chrono::steady_clock::now() + model::clock_duration(seconds)) {}

  double left() const { // seconds
    return end_ ? std::max(0.0, -model::seconds_since(*end_))
                : std::numeric_limits<double>::infinity();
  }
  bool is_over() const { return end_ && std::chrono::steady_clock::now() >= *end_; }

private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

} // namespace gputest::program
