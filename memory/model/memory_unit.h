// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes the accesses of warps: makes requests, and says when the data arrive and how much of the
// time other warps caused.
#pragma once

#include "memory/model/hierarchy.h"
#include "memory/model/layout.h"
#include "memory/model/machine.h"
#include "memory/model/monitor.h"
#include "memory/model/tiles.h"
#include "memory/model/trace.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::memory {

class MemoryUnit {
public:
  // `hierarchy`: as it is when the launch begins. Throws model::FormatError for an image if the GPU
  // has none.
  MemoryUnit(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings, Layout layout,
             Hierarchy hierarchy);

  struct Place {
    std::size_t core = 0, slot = 0; // slot: its group's local memory
    std::uint32_t warp = 0;         // in the trace
  };
  struct Done {
    Cycles at = 0;   // when the warp has what it needs
    Cycles lost = 0; // with RunSettings::monitor: cycles lost to other warps
    Cycles ends = 0; // when an atomic operation that takes its turn has happened
    Interference* interference =
        nullptr;                  // of the last line to come among those that others evicted
    Cycles interference_ends = 0; // when that line is there
  };
  // Executes `event`, an access that is issued at `at`, and adds its results to `count`, except for
  // times: only who waits for it knows how long.
  Done access(const Place& place, Cycles at, const WarpEvent& event, RunCount& count);

  const Layout& layout() const { return layout_; }
  const Hierarchy& hierarchy() const { return hierarchy_; }
  Hierarchy take_hierarchy() { return std::move(hierarchy_); }

private:
  Cycles access_local(const Place& place, Cycles at, const WarpEvent& event, ReferenceCount& count);
  // Returns whether the cache for constants serves the access.
  bool access_constant(const Place& place, Cycles at, const WarpEvent& event, ReferenceCount& count,
                       Done& done);
  Done access_tiled(const Place& place, Cycles at, const WarpEvent& event, RunCount& all);
  std::size_t sectors_of_tile() const;
  Done access_texture(const Place& place, Cycles at, const WarpEvent& event, RunCount& all);
  Cycles enter_texture_unit(const Place& place, Cycles at, const WarpEvent& event);
  void add_lanes(const Place& place, const WarpEvent& event);
  std::size_t warp_of_group(const Place& place) const;
  std::optional<std::int64_t> stride_of(const Place& place, const WarpEvent& event) const;
  unsigned fewest_of_words() const;
  bool is_in_registers(const WarpEvent& event) const;
  Done access_global(const Place& place, Cycles at, const WarpEvent& event, RunCount& count,
                     Cycles later = 0);
  static void add_served(const Served& served, std::uint32_t reference, RunCount& all, Done& done);
  unsigned most_at_one_place() const;
  void count_set(const Place& place, Cycles at, std::uint64_t line, const Served& served,
                 RunCount& count);
  Cycles lost(const Place& place, Cycles taken, Cycles passes, const WarpEvent& event);
  Cycles enter_banks(std::size_t core, Cycles at, unsigned passes);

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const RunSettings& settings_;
  const Layout layout_;
  Hierarchy hierarchy_;
  Round round_, texture_round_;        // texture_round_: of reads through a cache for textures
  std::vector<Cycles> local_ports_;    // by core: when the banks of local memory are free
  std::vector<Cycles> constant_ports_; // by core: when its cache for constants is free
  std::vector<Cycles> texture_ports_;  // by core: when its texture unit is free
  Tiles tiles_;
  std::optional<TilePlaces> tile_places_; // with RunSettings::tiled
  std::vector<LaneAccess> lanes_;
  std::vector<LineRequest> requests_;
};

} // namespace gputest::memory
