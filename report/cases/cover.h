// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the fewest sets that cover all goals (minimum set cover).
#pragma once

#include <cstddef>
#include <vector>

namespace gputest::report {

struct Cover {
  std::vector<std::size_t> sets; // ascending
  bool is_smallest = true;       // false: the search was ended, and there may be a smaller one
};

// `goals` has for each goal the sets that cover it, ascending and below `sets`. Goals that no set
// covers are left out. Of covers of the same size it prefers sets with lower numbers. `steps`
// limits the search.
Cover smallest_cover(std::size_t sets, const std::vector<std::vector<std::size_t>>& goals,
                     std::size_t steps = 100'000);

} // namespace gputest::report
