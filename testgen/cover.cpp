// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/cover.h"

#include <algorithm>

namespace gputest::testgen {

std::vector<Chosen> smallest_cover(std::span<const Outcome> outcomes, std::vector<Goal> goals) {
  std::vector<Chosen> cover;
  while (true) {
    std::size_t best = 0, most = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto reached = static_cast<std::size_t>(std::ranges::count_if(
          goals, [&](const Goal& goal) { return outcomes[i].has(goal.bit); }));
      if (reached > most) {
        most = reached;
        best = i;
      }
    }
    if (most == 0)
      return cover;
    Chosen chosen{best, {}};
    std::erase_if(goals, [&](const Goal& goal) {
      const bool reached = outcomes[best].has(goal.bit);
      if (reached)
        chosen.goals.push_back(goal);
      return reached;
    });
    cover.push_back(std::move(chosen));
  }
}

} // namespace gputest::testgen
