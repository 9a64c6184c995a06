// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what warps of a work-group read again and again, so that it could be in local memory.
#pragma once

#include "memory/model/machine.h"
#include "memory/model/trace.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

// The reads of an object in global memory that nothing writes. Sums of all groups.
struct Reuse {
  std::uint32_t object = 0;
  std::uint64_t sectors = 0; // different ones of a group
  std::uint64_t reads = 0;   // of sectors, one for each instruction of a warp
  std::uint64_t warps = 0;   // that read them: those of each sector, added up

  double times() const { return static_cast<double>(reads) / static_cast<double>(sectors); }
  double warps_of_sector() const {
    return static_cast<double>(warps) / static_cast<double>(sectors);
  }
};

constexpr double kOftenRead = 2; // times, and warps

// Returns objects whose sectors a group reads at least kOftenRead times each, by as many warps, on
// average. Nothing if the GPU has no local memory.
std::vector<Reuse> reuse_of(const Gpu& gpu, const LaunchTrace& trace);

} // namespace gputest::memory
