// What the work-items of a warp access at once, as the memory system gets it.
#pragma once

#include "memory/model/gpu.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gputest::memory {

// What one work-item of a warp accesses.
struct LaneAccess {
  std::uint64_t address = 0;
  std::uint32_t size = 0; // bytes
  std::uint32_t lane = 0; // the work-item's number in its warp
};

struct LineRequest {
  std::uint64_t number = 0;  // of the line: address / line size
  std::uint32_t sectors = 0; // a bit for each that is accessed
  std::uint32_t covered = 0; // and for each of which every byte is accessed
};

// How many sectors, and the fewest that could hold as many different bytes: 32 work-items that read
// neighbouring floats read 128 bytes, 4 sectors of 32.
struct Transactions {
  unsigned made = 0, fewest = 0;
};

// Fills `requests`, in order of addresses. Sorts `lanes` by address.
Transactions coalesce(std::span<LaneAccess> lanes, const CacheLevel& level,
                      std::vector<LineRequest>& requests);

// Passes through the banks of local memory: work-items that together access no more than all banks
// hold go together, and a pass reads one word of each bank, for as many of them as want it. Of an
// atomic operation every work-item takes a turn of its own at a word. `fewest`: without conflicts.
// `lanes`: in order of their numbers.
Transactions bank_passes(std::span<const LaneAccess> lanes, const LocalMemory& memory,
                         std::size_t warp_size, bool atomic);

} // namespace gputest::memory
