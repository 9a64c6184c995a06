// How much a test of random kernels tries.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <ranges>

namespace gputest::tests {

// The number in the environment variable GPUTEST_RANDOM, for longer runs; none if it is not set.
inline std::optional<std::size_t> asked_random_count() {
  const char* const asked = std::getenv("GPUTEST_RANDOM");
  if (!asked)
    return std::nullopt;
  return std::strtoul(asked, nullptr, 10);
}

// Whether everything is tried that the table of a test has (GPUTEST_LONG_TESTS, which CTest sets).
// Short runs try one of each kind.
inline bool is_long_run() {
  return asked_random_count() || std::getenv("GPUTEST_LONG_TESTS");
}

inline std::size_t random_count(std::size_t few) {
  return asked_random_count().value_or(few);
}

// Returns that many seeds. The first is the number in the environment variable
// GPUTEST_RANDOM_FIRST, else 1.
inline auto random_seeds(std::size_t few) {
  const char* const asked = std::getenv("GPUTEST_RANDOM_FIRST");
  const std::size_t first = asked ? std::strtoul(asked, nullptr, 10) : 1;
  return std::views::iota(first, first + random_count(few));
}

// One of so many is tried: of `few` in short runs; each in longer ones.
inline unsigned random_stride(unsigned few) {
  return is_long_run() ? 1 : few;
}

} // namespace gputest::tests
