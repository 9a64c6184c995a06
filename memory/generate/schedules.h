// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches for the schedules of warps that lose most time. This search is the project's own.
#pragma once

#include "memory/model/choice.h"
#include "testgen/inputs/random.h"

#include <cstdint>

namespace gputest::memory {

// Begins with a schedule of each kind. Then it alternates between random schedules and neighbours
// of the worst known one. A neighbour chooses warps in another way for some choices, or from one
// choice on.
class ScheduleSearch {
public:
  explicit ScheduleSearch(std::uint64_t seed) : random_(seed) {}

  WarpChoice next();
  // Reports a result. `lost`: cycles, or their share. `choices`: how many choices the run made.
  void tried(const WarpChoice& choice, double lost, std::uint64_t choices);

  const WarpChoice& worst() const { return worst_; }
  double lost() const { return lost_; } // of worst(); negative: none was tried

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
