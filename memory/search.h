// The schedules that hurt most, among those that are tried.
#pragma once

#include "memory/model/machine.h"

#include <cstdint>
#include <span>

namespace gputest::memory {

// Tries `schedules` of them: round-robin, guided, oldest, and then random ones with seeds from
// `seed` on. The one that loses the largest part of its cycles to interference; of several the
// first. Throws what run() throws.
WarpChoice worst_schedule(const Gpu& gpu, const LaunchTrace& trace, std::size_t schedules,
                          std::uint64_t seed, std::span<const std::uint8_t> sure_hits = {});

} // namespace gputest::memory
