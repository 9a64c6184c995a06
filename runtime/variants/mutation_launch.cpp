// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/mutation_launch.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

std::size_t plus(std::size_t size, int more) {
  return more < 0 ? size - std::min(size, static_cast<std::size_t>(-more))
                  : size + static_cast<std::size_t>(more);
}

} // namespace

std::optional<Launch> changed_launch(const Launch& launch, const model::Mutant& mutant) {
  Launch changed = launch;
  const bool device_chooses = launch.local_size[0] == 0;
  if (mutant.dimension >= launch.dimensions)
    return std::nullopt;
  if (device_chooses) {
    std::size_t& size = changed.global_size[mutant.dimension];
    size = plus(size, mutant.more_groups);
  } else {
    for (unsigned i = 0; i < launch.dimensions; ++i) {
      const std::size_t local = launch.local_size[i];
      const std::size_t groups = (launch.global_size[i] + local - 1) / local;
      if (mutant.swapped) {
        changed.local_size[i] = groups;
        changed.global_size[i] = groups * local;
      } else if (i == mutant.dimension) {
        changed.local_size[i] = plus(local, mutant.more_items);
        // A last group that is not full stays so if only groups are added.
        changed.global_size[i] =
            mutant.more_items == 0
                ? plus(launch.global_size[i], mutant.more_groups * static_cast<int>(local))
                : changed.local_size[i] * plus(groups, mutant.more_groups);
      }
    }
  }
  const bool is_same =
      changed.global_size == launch.global_size && changed.local_size == launch.local_size;
  return is_same ? std::nullopt : std::optional(changed);
}

std::uint64_t work_factor(const Launch& launch, const Launch& changed) {
  // Returns how many times as many, or as few, rounded up.
  const auto ratio = [](std::uint64_t before, std::uint64_t after) -> std::uint64_t {
    if (before == 0 || after == 0)
      return 1;
    const std::uint64_t large = std::max(before, after), small = std::min(before, after);
    return (large + small - 1) / small;
  };
  std::uint64_t items = 1, changed_items = 1, groups = 1, changed_groups = 1;
  for (unsigned i = 0; i < launch.dimensions; ++i) {
    const std::size_t local = std::max<std::size_t>(launch.local_size[i], 1);
    const std::size_t changed_local = std::max<std::size_t>(changed.local_size[i], 1);
    items *= local;
    changed_items *= changed_local;
    groups *= (launch.global_size[i] + local - 1) / local;
    changed_groups *= (changed.global_size[i] + changed_local - 1) / changed_local;
  }
  return ratio(items, changed_items) * ratio(groups, changed_groups);
}

std::string empty_dimension(const Launch& launch) {
  for (unsigned i = 0; i < launch.dimensions; ++i)
    if (launch.global_size[i] == 0) // also where a local size is 0
      return fmt::format("a size of 0 in dimension {}", i);
  return "";
}

} // namespace gputest::runtime
