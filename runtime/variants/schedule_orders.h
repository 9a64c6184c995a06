// Which orders of groups and of work-items a search tries.
#pragma once

#include "model/schedules/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::runtime {

struct SearchSettings {
  std::string strategy = "all"; // or permute, first, serial, reverse
  unsigned count = 10; // permutations, and serial orders; first: one for each of ten; reverse: two
  unsigned repeat = 3; // runs of each
  std::uint64_t seed = 1;
  unsigned part = 0, parts = 1; // of the orders: every parts-th, beginning with this one
};

// What to run of a test case besides the launch as it is. `items`: whether work-items may change
// places, too. Schedules that would change nothing are left out. Random orders depend on the seed,
// the case's name, the sizes and their own number alone.
std::vector<model::Schedule> schedules_of(const SearchSettings& settings,
                                          const std::string& test_case, const model::Sizes& sizes,
                                          bool items);

} // namespace gputest::runtime
