// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seconds, of clocks and of a processor.
#pragma once

#include <chrono>
#include <ctime>

namespace gputest::model {

// Returns what this process has used, in all its threads.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline std::chrono::steady_clock::duration clock_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

} // namespace gputest::model
