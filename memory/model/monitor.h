// How much of a launch's time warps lose to each other (Chattopadhyay, Eles and Peng, EMSOFT 2014,
// equations 9 to 11). Where the work does not end later, nothing is lost:
//
//     warp 0 arrives at a barrier at 900, 300 of them lost; warp 1 at 800, nothing lost
//     without interference the barrier opens at 800 and not at 900, so both have lost 100
#pragma once

#include "memory/model/coalesce.h"
#include "memory/model/gpu.h"

#include <span>
#include <vector>

namespace gputest::memory {

// When a warp comes somewhere, and how much of that it has lost.
struct Arrival {
  Cycles at = 0, lost = 0;
};

// What all have lost who go on when the last of `warps` is there. Equation 10: the last to arrive
// is the last without what it lost, or another one is.
Cycles lost_together(std::span<const Arrival> warps);

// What references would take if nobody else were there. Equation 9: more is lost.
class Round {
public:
  explicit Round(const Gpu& gpu);

  // Every line is in the nearest cache.
  Cycles hit(std::span<const LineRequest> requests);
  // No line is in any cache, and all banks are free: a round to DRAM and back. Requests of one
  // warp wait for each other.
  Cycles miss(std::span<const LineRequest> requests);

private:
  Cycles taken(const LineRequest& request);

  const Gpu& gpu_;
  Cycles hit_cycles_ = 0; // of all caches on the way
  std::vector<Cycles> ports_, banks_;
};

} // namespace gputest::memory
