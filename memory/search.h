// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the worst of some schedules.
#pragma once

#include "memory/model/machine.h"

#include <cstdint>
#include <span>

namespace gputest::memory {

// The schedules to try: round-robin, guided, oldest, then random ones with seeds from `seed` on.
struct TriedSchedules {
  std::size_t count = 1;
  std::uint64_t seed = 1;
  // A shard tries schedule `first`, and every `step`-th after it.
  std::size_t first = 0, step = 1;

  WarpChoice at(std::size_t index) const;
  // Returns the index of one of these schedules.
  std::size_t index_of(const WarpChoice& choice) const;
};

// Returns the schedule that loses the largest part of its cycles to interference; among equals, the
// first. Throws what run() throws.
WarpChoice worst_schedule(const Gpu& gpu, const LaunchTrace& trace, const TriedSchedules& tried,
                          std::span<const std::uint8_t> sure_hits = {});

} // namespace gputest::memory
