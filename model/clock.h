// Time that has passed.
#pragma once

#include <chrono>

namespace gputest {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace gputest
