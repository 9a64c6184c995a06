// Search for inputs under which several conditions hold, by what evaluation says of how far away
// they are.
#pragma once

#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/inputs.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::testgen {

struct SearchLimits {
  std::size_t evaluations = 20'000;
  double seconds = 1;
  std::uint64_t seed = 1;
};

struct SearchResult {
  std::optional<std::vector<std::uint64_t>> values; // of all units
  std::size_t evaluations = 0;
};

// From `values` on: one input after the other is moved by growing steps as long as the sum of the
// distances falls (Korel's alternating variable method, IEEE TSE 16(8), 1990), floating-point
// numbers in the order of their bits as well as by sums and factors; then from other values: 0, 1,
// those of the conditions' constants, special numbers, random ones. Distances of comparisons are
// those of Tracey et al. (1998), each brought to [0, 1) by x / (x + 1) of its logarithm.
SearchResult search(const Table& table, const std::vector<Label>& conditions,
                    const Functions* functions, const std::vector<Unit>& units,
                    const std::vector<std::uint64_t>& values, const SearchLimits& limits);

} // namespace gputest::testgen
