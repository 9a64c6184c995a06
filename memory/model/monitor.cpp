// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/monitor.h"

#include <algorithm>
#include <bit>

namespace gputest::memory {

Cycles lost_together(std::span<const Arrival> warps) {
  Cycles last = 0, last_undisturbed = 0;
  for (const Arrival& warp : warps) {
    last = std::max(last, warp.at);
    last_undisturbed = std::max(last_undisturbed, warp.at - warp.lost);
  }
  return last - last_undisturbed;
}

Round::Round(std::span<const CacheLevel> caches, const Dram& dram)
    : nearest_(caches.front()), dram_(dram), ports_(nearest_.banks), banks_(dram.banks) {
  for (const CacheLevel& cache : caches) {
    hit_cycles_ += cache.hit_cycles;
    port_cycles_ = std::max(port_cycles_, cache.port_cycles);
  }
}

Cycles Round::taken(const LineRequest& request) {
  return ports_[nearest_.bank_of(request.number)]++;
}

Cycles Round::hit(std::span<const LineRequest> requests) {
  std::ranges::fill(ports_, 0);
  Cycles done = 0;
  for (const LineRequest& request : requests)
    done = std::max(done, taken(request) + nearest_.hit_cycles);
  return done;
}

Cycles Round::miss(std::span<const LineRequest> requests) {
  std::ranges::fill(ports_, 0);
  std::ranges::fill(banks_, 0);
  Cycles done = 0, port = 0;
  for (const LineRequest& request : requests) {
    const Cycles sent = std::max(taken(request), port);
    port = sent + port_cycles_;
    const Cycles asked = sent + hit_cycles_;
    for (std::uint32_t left = request.sectors; left != 0; left &= left - 1) {
      const std::uint64_t address = request.number * nearest_.line +
                                    static_cast<unsigned>(std::countr_zero(left)) * nearest_.sector;
      const std::uint64_t chunk = address / dram_.bank_bytes;
      Cycles& free = banks_[(dram_.hashed ? spread(chunk) : chunk) % banks_.size()];
      const Cycles begin = std::max(asked, free);
      free = begin + dram_.busy_cycles;
      done = std::max(done, begin + dram_.cycles);
    }
  }
  return done;
}

} // namespace gputest::memory
