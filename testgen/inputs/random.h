// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that are the same on every machine.
#pragma once

#include "model/stable_hash.h"

#include <cstdint>
#include <span>

namespace gputest::testgen {

// SplitMix64.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return model::mixed(state_ += model::kSplitMixStep); }

  // From 0 to `count` - 1; `count` is not 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  // From `low` to `high`, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % (static_cast<std::uint64_t>(high) -
                                                     static_cast<std::uint64_t>(low) + 1));
  }
  // True once in `times`.
  bool once_in(std::size_t times) { return below(times) == 0; }

  template <typename T> const T& pick(std::span<const T> from) { return from[below(from.size())]; }

private:
  std::uint64_t state_;
};

} // namespace gputest::testgen
