// The blocks of a launch that wait for each other: grid_group::sync() of cooperative launches,
// clusters, and flags, locks and counters in memory.
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

// What a block has for itself while it is there.
struct BlockPlace {
  BlockPlace(Objects its_objects, const KernelShape& shape, std::size_t items)
      : objects(std::move(its_objects)), frames(shape, items) {}
  Objects objects; // as the context has them, with shared memory of its own
  Frames frames;
};

// Where places come from.
class BlockPlaces {
public:
  virtual ~BlockPlaces() = default;
  // One with shared memory of zeros; null: there is no more memory for one.
  virtual BlockPlace* take() = 0;
  virtual void give_back(BlockPlace& place) = 0;
};

// How many blocks may be there at once, with checks and without: as many as a large GPU has, of
// which each takes several mappings of memory.
constexpr std::size_t kMostPlaces = 4096, kMostCheckedPlaces = 512;

// What those that are left wait for, when none of them can go on.
struct Waiting {
  bool settled = false;                // nothing changes any more, but by somebody else
  std::set<std::uint64_t> addresses{}; // that they read, if so
  unsigned site = 0;                   // where one of them is, in the kernel's shape
  std::string who;                     // that one
};

// Blocks begin in order; one that waits stays where it is while others begin and go on. Where an
// order is given, none begins while another one waits, because no order is promised. Blocks that
// have ended are not waited for by grid_group::sync(); that is a finding.
class Blocks {
public:
  // `order`: linear ids; empty: ascending. `run` runs the block that `context` names.
  Blocks(const KernelShape& shape, gputest_context& context, Monitor& monitor,
         const std::vector<std::uint32_t>& order, BlockPlaces& places, std::function<void()> run);

  // Until all have ended, or none can go on: then that is told. What only counts or looks at the
  // clock while it waits is given `patience` seconds.
  std::optional<Waiting> go_on(double patience);

  // The place of what the block that runs has in shared memory, in that of another block that is
  // there; null: there is none.
  void* shared_of(const void* pointer, std::size_t block) const;
  // Whether so many bytes are of one variable in shared memory of a block of the cluster of that
  // which runs.
  bool is_of_cluster(const void* pointer, std::size_t size) const;

private:
  struct Block {
    std::size_t number = 0;
    BlockPlace* place = nullptr;
    bool at_grid = false, at_cluster = false;
    bool stays() const { return at_grid || at_cluster; } // until others have come
  };
  std::size_t cluster_of(std::size_t number) const;
  std::vector<std::size_t> with_cluster(std::size_t number) const;
  bool pass_clusters();
  bool begin_one();
  bool begin_some();
  bool look_again();
  bool pass_grid();
  bool run_on(Block& block, std::uint64_t how); // false: it has ended
  void enter(const Block& block);
  std::uint64_t hash();
  Waiting look_around(bool& moved);
  bool release_stuck(const Waiting& waiting);

  const KernelShape& shape_;
  gputest_context& context_;
  Monitor& monitor_;
  const std::vector<std::uint32_t>& order_;
  BlockPlaces& places_;
  std::function<void()> run_;
  std::size_t groups_ = 0, next_ = 0;
  std::list<Block> there_;
  std::optional<std::size_t> first_left_;
  bool has_clusters_ = false;
  std::set<std::size_t> ahead_; // blocks that have begun with their clusters, before their turn
};

} // namespace gputest::simulator::cuda
