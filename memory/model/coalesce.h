// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Combines the accesses of a warp's work-items to requests of the memory system.
#pragma once

#include "memory/model/gpu.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gputest::memory {

// An access of one work-item.
struct LaneAccess {
  std::uint64_t address = 0;
  std::uint32_t size = 0; // bytes
  std::uint32_t lane = 0; // the work-item's number in its warp
};

struct LineRequest {
  std::uint64_t number = 0;  // address / line size
  std::uint32_t sectors = 0; // a bit for each accessed sector
  std::uint32_t covered = 0; // a bit for each sector of which every byte is accessed
};

// The number of sectors, and the fewest that could hold as many different bytes. For example, 32
// work-items that read neighbouring floats need 128 bytes, so 4 sectors of 32.
struct Transactions {
  unsigned made = 0, fewest = 0;
};

// Fills `requests` in the order of addresses. Sorts `lanes` by address.
Transactions coalesce(std::span<LaneAccess> lanes, const CacheLevel& level,
                      std::vector<LineRequest>& requests);

// Counts passes through the banks of local memory. Work-items that together access no more bytes
// than all banks deliver go together. A pass reads one word of each bank, for all work-items that
// want it. In an atomic operation, each work-item takes its own turn at a word. `fewest`: the
// number without conflicts. `lanes`: in the order of their numbers.
Transactions bank_passes(std::span<const LaneAccess> lanes, const LocalMemory& memory,
                         std::size_t warp_size, bool atomic);

} // namespace gputest::memory
