// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/cases/cover.h"

#include <algorithm>
#include <set>

namespace gputest::report {
namespace {

using Goals = std::vector<std::vector<std::size_t>>;

// Leaves out goals that another one implies: whoever covers that one covers them, too.
Goals needed(const Goals& all) {
  std::set<std::vector<std::size_t>> different(all.begin(), all.end());
  different.erase(std::vector<std::size_t>());
  Goals sorted(different.begin(), different.end());
  std::ranges::stable_sort(sorted, {}, &std::vector<std::size_t>::size);
  Goals goals;
  for (std::vector<std::size_t>& goal : sorted)
    if (std::ranges::none_of(goals, [&](const std::vector<std::size_t>& smaller) {
          return std::ranges::includes(goal, smaller);
        }))
      goals.push_back(std::move(goal));
  return goals;
}

// Branch and bound over the goal with the fewest sets.
class CoverSearch {
public:
  CoverSearch(std::size_t sets, Goals goals, std::size_t steps)
      : goals_(std::move(goals)), chosen_(sets, false), steps_(steps) {}

  Cover run() {
    best_ = greedy();
    look();
    Cover cover{.sets = best_, .is_smallest = steps_ > 0};
    std::ranges::sort(cover.sets);
    return cover;
  }

private:
  bool is_covered(const std::vector<std::size_t>& goal) const {
    return std::ranges::any_of(goal, [&](std::size_t set) { return chosen_[set]; });
  }

  std::vector<std::size_t> greedy() {
    std::vector<std::size_t> cover;
    for (;;) {
      std::vector<std::size_t> gains(chosen_.size());
      for (const auto& goal : goals_)
        if (!is_covered(goal))
          for (const std::size_t set : goal)
            ++gains[set];
      const auto most = std::ranges::max_element(gains);
      if (most == gains.end() || *most == 0)
        break;
      cover.push_back(static_cast<std::size_t>(most - gains.begin()));
      chosen_[cover.back()] = true;
    }
    chosen_.assign(chosen_.size(), false);
    return cover;
  }

  // The number of open goals of which no two have a set in common: each needs a set of its own.
  std::size_t fewest_more() const {
    std::vector<bool> taken(chosen_.size());
    std::size_t count = 0;
    for (const auto& goal : goals_) {
      if (is_covered(goal) ||
          std::ranges::any_of(goal, [&](std::size_t set) { return taken[set]; }))
        continue;
      ++count;
      for (const std::size_t set : goal)
        taken[set] = true;
    }
    return count;
  }

  void look() {
    if (steps_ == 0 || cover_.size() + fewest_more() >= best_.size())
      return;
    --steps_;
    const auto open = // goals are in order of size
        std::ranges::find_if(goals_, [&](const auto& goal) { return !is_covered(goal); });
    if (open == goals_.end()) {
      best_ = cover_;
      return;
    }
    for (const std::size_t set : *open) {
      chosen_[set] = true;
      cover_.push_back(set);
      look();
      cover_.pop_back();
      chosen_[set] = false;
    }
  }

  Goals goals_;
  std::vector<bool> chosen_;
  std::vector<std::size_t> cover_, best_;
  std::size_t steps_;
};

} // namespace

Cover smallest_cover(std::size_t sets, const std::vector<std::vector<std::size_t>>& goals,
                     std::size_t steps) {
  return CoverSearch(sets, needed(goals), steps).run();
}

} // namespace gputest::report
