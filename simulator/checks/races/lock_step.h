// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds accesses of __shared__ memory by two threads of a warp that only running in step orders, as
// in code from before __syncwarp(). The simulator runs such code in step (ir/cuda/lock_step.h), but
// GPUs since Volta need not.
#pragma once

#include "simulator/checks/races/races.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace gputest::simulator {

// The check of races for a kernel whose shape has `lock_step`.
class LockStepRaces : public Races {
public:
  explicit LockStepRaces(const WatchedLaunch& launch) : Races(launch) {}

  void begin_group() override;
  void continue_group() override;
  void pass_barrier(unsigned site, unsigned flags) override;
  void pass_warp(std::uint64_t first, std::uint32_t lanes, bool steps) override;
  void pass_fence(bool of_device) override;
  void awaited(std::uint64_t item, std::uint64_t place) override;
  void strong(std::uint64_t place, const RaceOrder::Strong& what) override;

  // The running thread is about to make an access of __shared__ memory that is not atomic.
  struct SharedAccess {
    const std::byte* at;
    std::uint64_t size;
    unsigned site;
    bool write, polls;      // polls: a loop waits for the value (ir/cuda/spins.h)
    const std::byte* value; // the stored value; null: not known
  };
  void examine(const SharedAccess& access);

private:
  static constexpr unsigned kLanes = 32;

  // An access since the last barrier of the block.
  struct Earlier {
    std::uint64_t item, epoch;
    unsigned site;
    bool write;
  };
  // What threads know of each other by barriers, by __syncwarp() and its like. Steps do not count.
  struct Thread {
    std::array<std::uint64_t, kLanes> known{}; // of each lane of its warp: all before this epoch
    std::uint64_t stepped = 0;                 // the epoch that began with its last step
  };
  struct Group {
    std::vector<Thread> threads;
    std::unordered_map<std::uint64_t, std::vector<Earlier>> cells; // by address / grain
    std::unordered_set<std::uint64_t> flags;                       // cells that loops wait for
  };
  bool knows(const Earlier& other) const;
  bool may_both_write(const SharedAccess& access, const Earlier& other) const;
  void tell(const SharedAccess& access, const Earlier& other);

  std::uint64_t now_ = 1; // an epoch of its own
  std::unordered_map<std::uint64_t, Group> groups_;
  Group* group_ = nullptr;
  RaceOrder order_; // with kernels that have fences
};

} // namespace gputest::simulator
