// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the orders of groups and of work-items that a search tries.
#pragma once

#include "model/schedules/schedule.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct SearchSettings {
  std::string strategy = "all"; // all, permute, first, serial or reverse
  // The number of permutations, and of serial orders. The strategy `first` has one order for each
  // of ten groups, and `reverse` has two.
  unsigned count = 10;
  unsigned repeat = 3; // runs of each order
  std::uint64_t seed = 1;
  unsigned part = 0, parts = 1; // which orders: every parts-th, from this one on
  // No order begins after this time; nullopt: there is no limit.
  std::optional<std::chrono::steady_clock::time_point> end{};
};

// Returns the schedules of a test case besides the launch as it is. `items`: work-items may change
// places, too. Schedules that would change nothing are left out. Random orders depend on the seed,
// the case's name, the sizes and their own number alone.
std::vector<model::Schedule> schedules_of(const SearchSettings& settings,
                                          const std::string& test_case, const model::Sizes& sizes,
                                          bool items);

} // namespace gputest::runtime
