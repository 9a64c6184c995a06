// Watches a launch: barriers and async copies, and whatever its checks watch.
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

  // `checks` are those of the kernel's code. `context` is what the kernel sees: its group and the
  // sizes are read, and checks set what they need.
  Monitor(const KernelShape& shape, const Checks& checks, unsigned dimensions,
          gputest_context& context, const Arena& arena, const Region& nowhere);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  void begin_group(); // the one that the context names
  void end_group();
  void continue_group(); // after it has waited for the others
  void pass_grid();      // all groups have come there
  void grid_left(std::uint64_t left, std::uint64_t first) { barriers_.grid_left(left, first); }

  // What the kernel calls; see templates/simulator.
  int turn();
  void warp_met(std::uint64_t first, std::uint32_t lanes); // those lanes of thread first's warp
  void awaited(unsigned site, std::uint64_t item);         // what it has waited for there has come
  void pass_fence(bool of_device);
  void warp_stuck(std::uint64_t first, std::uint32_t lanes) { barriers_.warp_stuck(first, lanes); }
  Copies& copies() { return copies_.value(); }  // of a kernel that has some
  void report(unsigned site, unsigned message); // by its number in the shape

  // That of a check that watches. Accesses ask for it: checks are compared by their addresses.
  Watch& watch(const Check& check) const;

  // In order of what was seen first.
  std::vector<Finding> findings() const { return findings_.all(); }
  bool found_anything() const { return findings_.any(); }

  // By number of the objects that the launch places, with the check of bounds.
  const std::vector<Extent>& outside_extents() const { return extents_; }

private:
  Findings findings_;
  std::vector<Extent> extents_;
  WatchedLaunch launch_;
  std::vector<const Check*> watching_; // the checks that watch, and what they do so with
  std::vector<std::unique_ptr<Watch>> watches_;
  Barriers barriers_;
  std::optional<Copies> copies_;
};

// That of the kernel that runs, for its native functions (simulator/execute/natives.h).
Watch& running_watch(const Check& check);

} // namespace gputest::simulator
