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
    const bool keeps_local = units[*one.local].fixed;
    for (std::uint64_t global = 1; global <= most_items; ++global)
      for (std::uint64_t local = keeps_local ? values[*one.local] : 1;
           local <= std::min(global, keeps_local ? values[*one.local] : most_of_group); ++local) {
        if (global % local != 0)
          continue;
        changed[*one.global] = global;
        changed[*one.local] = local;
        if (offer(changed))
          return;
      }
  }
}

} // namespace gputest::testgen
