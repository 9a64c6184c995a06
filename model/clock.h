// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts between seconds and clock durations.
#pragma once

#include <chrono>

namespace gputest::model {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline std::chrono::steady_clock::duration clock_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

} // namespace gputest::model
