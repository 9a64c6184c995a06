// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races between blocks of one launch that neither events nor parents order.
#pragma once

#include "ir/kernel.h"
#include "simulator/checks/check.h"
#include "simulator/checks/finding.h"
#include "simulator/natives/device_queue.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

class BlockRaces {
public:
  // `regions`: the buffers that are looked at. Both outlive this.
  BlockRaces(const DeviceQueue& queue, const std::vector<Region>& regions)
      : queue_(queue), regions_(regions) {}

  // The block has run after all others that were added. So that the time of many stays in
  // proportion, only the first blocks of a launch are looked at, and of a block with which the
  // accesses would be too many, only what it orders.
  void add(std::size_t launch, const ir::KernelShape& shape, const std::vector<Accessed>& accessed);

  // Returns a finding for each pair of places, in either order.
  std::vector<Finding> findings() const;

private:
  static constexpr std::size_t kMostBlocks = 4096, kMostAccesses = std::size_t{1} << 18,
                               kMostPairs = std::size_t{1} << 22;
  struct Block {
    std::size_t launch = 0;
    std::vector<bool> ancestors{}, before{}; // by number of the block, in the order of running
  };
  struct Access {
    Accessed what;
    std::size_t block = 0;
    model::CodePlace place{};
  };
  void finish_before(Block& block, std::vector<std::size_t> events) const;
  void add_before(Block& block, std::size_t earlier) const;
  const Region* region_at(std::uint64_t address) const;

  const DeviceQueue& queue_;
  const std::vector<Region>& regions_;
  std::map<std::size_t, std::size_t> numbers_; // by launch
  std::vector<Block> blocks_;
  std::vector<Access> accesses_;
};

} // namespace gputest::simulator
