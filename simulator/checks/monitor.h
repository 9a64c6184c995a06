// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches a launch: barriers, async copies, and the watches of its checks.
#pragma once

#include "simulator/checks/barriers.h"
#include "simulator/checks/checks.h"
#include "simulator/checks/copies.h"

#include <memory>
#include <optional>
#include <vector>

namespace gputest::simulator {

class Monitor {
public:
  using Extent = simulator::Extent;

  // `checks`: those of the kernel's code. `context`: the kernel's. The monitor reads its group and
  // sizes, and checks set their words.
  Monitor(const ir::KernelShape& shape, const Checks& checks, unsigned dimensions,
          gputest_context& context, const Arena& arena, const Region& nowhere);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  void begin_group(); // the context's group
  void end_group();
  void continue_group(); // the group goes on after it has waited for others
  void pass_grid();      // all groups have come to a grid barrier
  void end_launch();     // without a fault; no group follows
  void grid_left(std::uint64_t left, std::uint64_t first) { barriers_.grid_left(left, first); }

  // The kernel's calls (templates/simulator/).
  int turn();
  void warp_met(std::uint64_t first, std::uint64_t lanes, bool steps); // Watch::pass_warp()
  void awaited(std::uint64_t first, std::uint64_t lanes);              // their waits are over
  void pass_fence(ir::FenceKind kind);
  void warp_stuck(std::uint64_t first, std::uint64_t lanes) { barriers_.warp_stuck(first, lanes); }
  void warp_unnamed(std::uint64_t first, std::uint64_t lanes) {
    barriers_.warp_unnamed(first, lanes);
  }
  void warp_absent(std::uint64_t first, std::uint64_t lanes) {
    if (checks_barriers_)
      barriers_.warp_absent(first, lanes);
  }
  Copies& copies() { return copies_.value(); } // only for kernels with copies
  // `message`: its number in the shape; `element`: the one of an array that the finding is about.
  void report(unsigned site, unsigned message, std::optional<std::uint64_t> element = {});

  // Returns the watch of a check that has one. Compares addresses of checks, because each access
  // calls this.
  Watch& watch(const Check& check) const;

  // In the order in which they were first seen.
  std::vector<Finding> findings() const { return findings_.all(); }
  const Findings& collected() const { return findings_; }
  bool found_anything() const { return findings_.any(); }
  // What the launch has accessed, of regions named before it (check.h).
  void keep_accessed(const std::vector<Region>& regions);
  std::vector<Accessed> accessed();
  void begin_unwritten(const std::vector<Region>& regions); // as Watch::begin_unwritten()

  // What is no finding but worth knowing (Barriers::notes()).
  const std::vector<Finding>& notes() const { return barriers_.notes(); }

  // With the check of bounds: by number of the object, for objects that the launch places.
  const std::vector<Extent>& outside_extents() const { return extents_; }

private:
  Findings findings_;
  std::vector<Extent> extents_;
  WatchedLaunch launch_;
  std::vector<const Check*> watching_; // checks with watches; and their watches
  std::vector<std::unique_ptr<Watch>> watches_;
  Barriers barriers_;
  bool checks_barriers_, checks_bounds_;
  std::optional<Copies> copies_;
};

// Returns the watch of the running kernel, for native functions (simulator/natives/natives.h).
Watch& running_watch(const Check& check);

} // namespace gputest::simulator
