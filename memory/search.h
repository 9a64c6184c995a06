// The schedules that hurt most, among those that are tried.
#pragma once

#include "memory/model/machine.h"

#include <cstdint>
#include <span>

namespace gputest::memory {

// The schedules that are tried: round-robin, guided, oldest, and then random ones with seeds from
// `seed` on.
struct TriedSchedules {
  std::size_t count = 1;
  std::uint64_t seed = 1;
  // A shard tries the first-th and each step-th after that.
  std::size_t first = 0, step = 1;

  WarpChoice at(std::size_t index) const;
  // The index of one of them.
  std::size_t index_of(const WarpChoice& choice) const;
};

// The one that loses the largest part of its cycles to interference; of several the first. Throws
// what run() throws.
WarpChoice worst_schedule(const Gpu& gpu, const LaunchTrace& trace, const TriedSchedules& tried,
                          std::span<const std::uint8_t> sure_hits = {});

} // namespace gputest::memory
