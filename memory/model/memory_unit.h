// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes the accesses of warps: makes requests, and says when the data arrive and how much of the
// time other warps caused.
#pragma once

#include "memory/model/hierarchy.h"
#include "memory/model/layout.h"
#include "memory/model/machine.h"
#include "memory/model/monitor.h"
#include "memory/model/trace.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

class MemoryUnit {
public:
  MemoryUnit(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings);

  struct Place {
    std::size_t core = 0, slot = 0; // slot: its group's local memory
    std::uint32_t warp = 0;         // in the trace
  };
  struct Done {
    Cycles at = 0;   // when the warp can go on
    Cycles lost = 0; // with RunSettings::monitor: cycles lost to other warps
  };
  // Executes `event`, an access that is issued at `at`, and adds its results to `count`.
  Done access(const Place& place, Cycles at, const WarpEvent& event, RunCount& count);

  const Layout& layout() const { return layout_; }
  const Hierarchy& hierarchy() const { return hierarchy_; }

private:
  Cycles access_local(const Place& place, Cycles at, const WarpEvent& event, ReferenceCount& count);
  Done access_global(const Place& place, Cycles at, const WarpEvent& event, RunCount& count);
  unsigned most_at_one_place() const;
  void count_set(const Place& place, Cycles at, std::uint64_t line, const Served& served,
                 RunCount& count);
  Cycles lost(const Place& place, Cycles taken, bool evicted, const WarpEvent& event,
              RunCount& count);

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const RunSettings& settings_;
  const Layout layout_;
  Hierarchy hierarchy_;
  Round round_;
  std::vector<Cycles> local_ports_; // by core: when local memory is free
  std::vector<LaneAccess> lanes_;
  std::vector<LineRequest> requests_;
};

} // namespace gputest::memory
