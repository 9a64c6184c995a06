// Looks for schedules of warps that hurt most. This search is the project's own.
#pragma once

#include "memory/model/choice.h"
#include "testgen/random.h"

#include <cstdint>

namespace gputest::memory {

// Schedules near the worst one known: for some of its choices warps are chosen in another way, and
// what is no better is forgotten. It begins with one schedule of each kind.
class ScheduleSearch {
public:
  explicit ScheduleSearch(std::uint64_t seed) : random_(seed) {}

  WarpChoice next();
  // What came of one: the part of the cycles that it loses, and the choices that it made.
  void tried(const WarpChoice& choice, double lost, std::uint64_t choices);

  const WarpChoice& worst() const { return worst_; }
  double lost() const { return lost_; } // by it; negative: none was tried

private:
  WarpChoice changed();

  testgen::Random random_;
  std::size_t begun_ = 0;
  WarpChoice worst_;
  double lost_ = -1;
  std::uint64_t choices_ = 0;
};

} // namespace gputest::memory
