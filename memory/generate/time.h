// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the seconds of a budget between the search for cases and the reports on them.
#pragma once

#include <algorithm>
#include <cstddef>

namespace gputest::memory {

// All are seconds of processor time, `used` those since the program began.
struct TimeForCases {
  double budget = 0;    // the reports end at most a second after it
  double of_report = 0; // what a report takes

  // The search has at least half of the budget, however many cases are kept.
  double of_search(double used, std::size_t cases) const {
    constexpr double kLate = 0.5;
    return std::clamp(budget + kLate - used - of_report * static_cast<double>(cases), budget / 2,
                      budget);
  }

  // Whether a report that begins now ends too late.
  bool is_over(double used) const {
    constexpr double kLatest = 0.8;
    return used + of_report > budget + kLatest;
  }
};

} // namespace gputest::memory
