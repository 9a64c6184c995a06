// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs blocks that wait for each other: by grid_group::sync() of cooperative launches, in clusters,
// and by flags, locks and counters in memory.
#pragma once

#include "ir/kernel.h"
#include "simulator/checks/monitor.h"
#include "simulator/execute/frames.h"
#include "templates/simulator/context.h"

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <vector>

namespace gputest::simulator::cuda {

using Objects = std::vector<gputest_context::gputest_object>;

// The memory of a resident block.
struct BlockPlace {
  BlockPlace(Objects its_objects, const ir::KernelShape& shape, std::size_t items)
      : objects(std::move(its_objects)), frames(shape, items) {}
  Objects objects; // the context's objects, with the block's own shared memory
  Frames frames;
};

// Makes and takes back places.
class BlockPlaces {
public:
  virtual ~BlockPlaces() = default;
  // Returns a place whose shared memory is unwritten; null: there is no memory left.
  virtual BlockPlace* take() = 0;
  virtual void give_back(BlockPlace& place) = 0;
};

// The most resident blocks, without and with checks. 4096 is about what a large GPU has; each place
// takes several memory mappings.
constexpr std::size_t kMostPlaces = 4096, kMostCheckedPlaces = 512;

// The state of the remaining blocks when none can go on.
struct Waiting {
  bool settled = false;                // only something outside of the launch can change this
  std::set<std::uint64_t> addresses{}; // with `settled`: the addresses that they read
  unsigned site = 0;                   // the site of one of them, in the kernel's shape
  std::string who;                     // the name of that one
};

// Blocks begin in order. A block that waits stays resident while others begin and go on. With a
// given order, no block begins while another waits, because CUDA promises no order.
// grid_group::sync() does not wait for blocks that have ended; that is a finding.
class Blocks {
public:
  // `order`: linear ids; empty: ascending. `run`: runs the context's block.
  Blocks(const ir::KernelShape& shape, gputest_context& context, Monitor& monitor,
         const std::vector<std::uint32_t>& order, BlockPlaces& places, std::function<void()> run);

  // Runs until all blocks have ended (nullopt) or none can go on. Blocks that only count or read
  // the clock while they wait get `patience` seconds.
  std::optional<Waiting> go_on(double patience);

  // Returns the address of the running block's shared variable in another resident block; null:
  // there is none.
  void* shared_of(const void* pointer, std::size_t block) const;
  // Whether the bytes are all in one shared variable of a block of the running block's cluster.
  bool is_of_cluster(const void* pointer, std::size_t size) const;

private:
  struct Block {
    std::size_t number = 0;
    BlockPlace* place = nullptr;
    bool at_grid = false, at_cluster = false;
    bool stays() const { return at_grid || at_cluster; } // waits until others have come
  };
  std::size_t cluster_of(std::size_t number) const;
  std::vector<std::size_t> with_cluster(std::size_t number) const;
  bool pass_clusters();
  bool begin_one();
  bool begin_some();
  bool look_again();
  bool pass_grid();
  bool run_on(Block& block, std::uint64_t how); // returns false if it has ended
  void enter(const Block& block);
  std::uint64_t hash();
  Waiting look_around(bool& moved);
  bool release_stuck(const Waiting& waiting);

  const ir::KernelShape& shape_;
  gputest_context& context_;
  Monitor& monitor_;
  const std::vector<std::uint32_t>& order_;
  BlockPlaces& places_;
  std::function<void()> run_;
  std::size_t groups_ = 0, next_ = 0;
  std::list<Block> there_;
  std::optional<std::size_t> first_left_;
  bool has_clusters_ = false;
  std::set<std::size_t> ahead_; // blocks that began before their turn, with their clusters
};

} // namespace gputest::simulator::cuda
