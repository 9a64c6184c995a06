// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds accesses by two threads of a warp that only running in step orders, as in code from before
// __syncwarp(). The simulator runs such code in step where it exchanges values in __shared__ memory
// (ir/cuda/lock_step.h), but GPUs since Volta need not.
#pragma once

#include "simulator/checks/races/races.h"

#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gputest::simulator {

// The check of races for a kernel whose shape has `lock_step`.
class LockStepRaces : public Races {
public:
  explicit LockStepRaces(const WatchedLaunch& launch) : Races(launch) {}

  void begin_group() override;
  void continue_group() override;
  void pass_barrier(unsigned site, unsigned flags) override;
  void awaited(std::uint64_t item, std::uint64_t place, std::uint64_t phase) override;
  void pass_warp(std::uint64_t first, std::uint64_t lanes, bool steps) override;

  // The running thread is about to make an access that is not atomic.
  struct LaneAccess {
    const std::byte* at;
    std::uint64_t size;
    unsigned site;
    bool write, polls;      // polls: a loop waits for the value (ir/cuda/spins.h)
    const std::byte* value; // the stored value; null: not known
  };
  void examine(const LaneAccess& access);

  // The running thread reads a flag, a lock or the like that it may have waited for (`receives`),
  // or is about to write one. It knows what the threads that have written there before knew.
  void message(std::uint64_t place, bool receives, bool sends);

private:
  // More than these, and all are forgotten.
  static constexpr std::size_t kMostCells = std::size_t{1} << 20, kMostMessages = 1 << 14;

  // An access since the last barrier of the block.
  struct Earlier {
    std::uint64_t item, epoch;
    unsigned site;
    bool write;
  };
  // Of each lane of a warp: all before this epoch is known. That is by barriers, by __syncwarp()
  // and its like, and by messages. Steps do not count.
  using Known = std::array<std::uint64_t, GPUTEST_MOST_LANES>;
  struct Thread {
    Known known{};
    std::uint64_t stepped = 0; // the epoch that began with its last step
  };
  struct Group {
    std::vector<Thread> threads;
    std::unordered_map<std::uint64_t, std::vector<Earlier>> cells;     // by address / grain
    std::unordered_set<std::uint64_t> flags;                           // cells that loops wait for
    std::map<std::pair<std::uint64_t, std::uint64_t>, Known> messages; // by place and warp
  };
  bool knows(const Earlier& other) const;
  bool may_both_write(const LaneAccess& access, const Earlier& other) const;
  void tell(const LaneAccess& access, const Earlier& other);

  std::uint64_t now_ = 1; // an epoch of its own
  std::unordered_map<std::uint64_t, Group> groups_;
  Group* group_ = nullptr;
};

} // namespace gputest::simulator
