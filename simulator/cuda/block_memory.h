// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for launches of one kernel and size, besides the device's memory.
#pragma once

#include "simulator/cuda/blocks.h"
#include "simulator/cuda/device.h"
#include "simulator/cuda/launch.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/program.h"
#include "simulator/parallel/separate.h"

namespace gputest::simulator::cuda {

// Converts a launch to OpenCL's terms.
LaunchRequest request_of(const Launch& what);

// Launches of one size reuse it. With checks it follows the device's memory, so that one table
// covers both.
class LaunchMemory : public BlockPlaces {
public:
  LaunchMemory(const Program::Ready& kernel, const Launch& what,
               const std::map<std::string, std::uint64_t>& variables);

  bool fits(const Launch& what) const;
  void begin(const Launch& what, const Device& device);
  // Gives the device's allocations their names in the kernel, for findings and faults.
  void name_allocations(const Device& device);

  BlockPlace* take() override;
  void give_back(BlockPlace& place) override { free_.push_back(&place); }
  void clear(BlockPlace& place); // sets its shared memory to unwritten bytes

  void* arguments() { return block_of_arguments_.data(); }
  // Where the objects of the shape are that all blocks share.
  ObjectPlaces places(const Device& device) const;
  const Arena& arena() const { return *arena_; }
  const Region& nowhere() const { return nowhere_; }
  bool checked() const { return checked_; }

  gputest_context context{};

private:
  using Placed = gputest_context::gputest_object;
  struct alignas(128) Block {
    std::byte bytes[128];
  };

  void place_behind_device(std::size_t space);
  Placed pointed_into(const ir::Object& object, const Device& device) const;
  void place(const ir::Object& object, const std::map<std::string, std::uint64_t>& variables);

  const ir::KernelShape& shape_;
  bool checked_;
  std::uint64_t shared_bytes_;
  std::array<std::uint64_t, 3> block_;
  std::size_t items_, most_places_;
  std::vector<Block> block_of_arguments_;
  std::optional<Arena> arena_;
  Region nowhere_;
  Objects objects_;                 // those of the first place
  std::vector<std::size_t> shared_; // numbers of objects of which each place has its own
  std::list<BlockPlace> places_;
  std::vector<BlockPlace*> free_;
};

} // namespace gputest::simulator::cuda
