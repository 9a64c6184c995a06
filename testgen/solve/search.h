// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches for inputs that make several conditions true, guided by distances (distance.h).
#pragma once

#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::testgen {

// Values of expressions that an idle machine computes in a second.
inline constexpr double kValuesOfSecond = 1e8;

// The search ends when either limit is reached. Seconds are counted by the values that are computed
// (kValuesOfSecond), so the same seed gives the same result on any machine.
struct SearchLimits {
  std::size_t evaluations = 20'000;
  double seconds = 1;
  std::uint64_t seed = 1;
};

// No values: none were found.
struct SearchResult {
  std::optional<std::vector<std::uint64_t>> values; // by unit
  std::size_t evaluations = 0;
};

// Starts from `values` and moves one unit after the other, in growing steps, while the sum of the
// distances falls (Korel's alternating variable method, IEEE TSE 16(8), 1990). Floating-point
// numbers move in the order of their bits, by sums and by factors. When nothing helps, starts again
// from other values: small numbers, constants of the conditions, special and random numbers. A
// comparison's distance is that of Tracey et al. (1998), scaled to [0, 1) by y / (y + 1) with y =
// log2(1 + x).
SearchResult search(const Table& table, const std::vector<Label>& conditions,
                    const Functions* functions, const std::vector<Unit>& units,
                    const std::vector<std::uint64_t>& values, const SearchLimits& limits);

} // namespace gputest::testgen
