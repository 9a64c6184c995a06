// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures how much of a launch's time warps lose to each other (Chattopadhyay, Eles and Peng,
// EMSOFT 2014, equations 9 to 11). Time that does not delay the end is not lost:
//
//     warp 0 arrives at a barrier at 900, 300 of them lost; warp 1 at 800, nothing lost
//     without interference the barrier opens at 800 and not at 900, so both have lost 100
#pragma once

#include "memory/model/coalesce.h"
#include "memory/model/gpu.h"

#include <span>
#include <vector>

namespace gputest::memory {

// When a warp arrives at a point, and how much of that time it has lost.
struct Arrival {
  Cycles at = 0, lost = 0;
};

// Returns what all warps have lost that go on when the last of `warps` arrives (equation 10): the
// difference to the latest arrival without losses.
Cycles lost_together(std::span<const Arrival> warps);

// The time of references if there were no other warps. Any time beyond that is lost (equation 9).
class Round {
public:
  explicit Round(const Gpu& gpu) : Round(gpu.caches, gpu.dram) {}
  // `caches`: those on the way, the first one to be asked first.
  Round(std::span<const CacheLevel> caches, const Dram& dram);

  // Returns the cycles if every line is in the first cache.
  Cycles hit(std::span<const LineRequest> requests);
  // Returns the cycles if no line is in any cache and all banks are free: a round to DRAM. Requests
  // of one warp wait for each other.
  Cycles miss(std::span<const LineRequest> requests);

private:
  Cycles taken(const LineRequest& request);

  CacheLevel nearest_;
  Dram dram_;
  Cycles hit_cycles_ = 0;  // of all caches on the way
  Cycles port_cycles_ = 0; // of the slowest way between two of them
  std::vector<Cycles> ports_, banks_;
};

} // namespace gputest::memory
