// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/launches.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gputest::testgen {
namespace {

struct Dimension {
  std::optional<std::size_t> global{}, local{}; // units
};

// The numbers up to `most_of_group` that divide each number up to `most_items`, ascending. To try
// all pairs would take ten times as long as to evaluate the conditions of most.
std::vector<std::vector<std::uint64_t>> divisors_of(std::uint64_t most_items,
                                                    std::uint64_t most_of_group) {
  std::vector<std::vector<std::uint64_t>> divisors(most_items + 1);
  for (std::uint64_t local = 1; local <= std::min(most_items, most_of_group); ++local)
    for (std::uint64_t global = local; global <= most_items; global += local)
      divisors[global].push_back(local);
  return divisors;
}

} // namespace

void offer_launches(const std::vector<Unit>& units, const std::vector<std::uint64_t>& values,
                    const std::function<bool(const std::vector<std::uint64_t>&)>& offer) {
  std::array<Dimension, 3> dimensions;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].kind == Unit::Kind::GlobalSize)
      dimensions[units[i].offset].global = i;
    if (units[i].kind == Unit::Kind::LocalSize)
      dimensions[units[i].offset].local = i;
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const Dimension& one = dimensions[d];
    if (!one.global || !one.local || units[*one.global].fixed)
      continue;
    std::uint64_t most_items = kMostItems, most_of_group = kMostItemsOfGroup;
    for (std::size_t other = 0; other < dimensions.size(); ++other)
      if (other != d && dimensions[other].global && dimensions[other].local) {
        most_items /= values[*dimensions[other].global];
        most_of_group /= values[*dimensions[other].local];
      }
    std::vector<std::uint64_t> changed = values;
    const auto is_found = [&](std::uint64_t global, std::uint64_t local) {
      changed[*one.global] = global;
      changed[*one.local] = local;
      return offer(changed);
    };
    if (units[*one.local].fixed) {
      const std::uint64_t local = values[*one.local];
      for (std::uint64_t global = local; global <= most_items; global += local)
        if (is_found(global, local))
          return;
      continue;
    }
    const auto divisors = divisors_of(most_items, most_of_group);
    for (std::uint64_t global = 1; global <= most_items; ++global)
      for (const std::uint64_t local : divisors[global])
        if (is_found(global, local))
          return;
  }
}

} // namespace gputest::testgen
