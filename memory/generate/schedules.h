// Looks for schedules of warps that hurt most. This search is the project's own.
#pragma once

#include "memory/model/choice.h"
#include "testgen/inputs/random.h"

#include <cstdint>

namespace gputest::memory {

// Begins with a schedule of each kind. Then it draws schedules, and every other time one near the
// worst that is known: for some of its choices, or from one on, warps are chosen in another way.
class ScheduleSearch {
public:
  explicit ScheduleSearch(std::uint64_t seed) : random_(seed) {}

  WarpChoice next();
  // What came of one: the part of the cycles that it loses, and the choices that it made.
  void tried(const WarpChoice& choice, double lost, std::uint64_t choices);

  const WarpChoice& worst() const { return worst_; }
  double lost() const { return lost_; } // by it; negative: none was tried

private:
  WarpChoice drawn();
  WarpChoice changed();

  testgen::Random random_;
  std::size_t tries_ = 0;
  WarpChoice worst_;
  double lost_ = -1;
  std::uint64_t choices_ = 0;
};

} // namespace gputest::memory
