// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates how much a warp harms others if it goes on now (Chattopadhyay, Eles and Peng, EMSOFT
// 2014, equations 5 to 8). The trace tells what each warp does next.
#pragma once

#include "memory/model/hierarchy.h"
#include "memory/model/layout.h"
#include "memory/model/trace.h"

#include <compare>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace gputest::memory {

// The harm that a warp would do until it has to wait. Evictions count first.
struct Harm {
  std::uint32_t evictions = 0; // of lines that waiting warps will use
  std::uint32_t queued = 0;    // requests to busy banks of DRAM
  auto operator<=>(const Harm&) const = default;
};

class Guide {
public:
  Guide(const Gpu& gpu, const LaunchTrace& trace, const Layout& layout, const Hierarchy& hierarchy)
      : gpu_(gpu), trace_(trace), layout_(layout), hierarchy_(hierarchy) {}

  struct Where {
    std::size_t warp = 0;           // a number that no other warp has
    std::size_t core = 0, slot = 0; // slot: its group's local memory
  };

  // Begins a choice: forgets the waiting warps of the last one.
  void begin() { reused_.clear(); }
  // Adds the cached lines that a waiting warp accesses next.
  void add_waiting(const WarpReader& reader, const Where& where);
  // Returns the harm if the warp goes on at `at`.
  Harm harm(const WarpReader& reader, const Where& where, Cycles at);

private:
  // The next accesses of a warp, kept until it goes on.
  struct Ahead {
    const std::uint8_t* position = nullptr;
    std::vector<std::uint64_t> lines{}; // of all these accesses
    std::vector<std::size_t> ends{};    // by access: its end in `lines`
    std::size_t before_barrier = 0;     // the number of accesses before a barrier
  };
  const Ahead& ahead_of(const WarpReader& reader, const Where& where);
  bool lines_of(const WarpEvent& event, const Where& where);

  static constexpr unsigned kAhead = 4; // the most accesses that are examined
  // The most events that are examined.
  static constexpr unsigned kEvents = 32;

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const Layout& layout_;
  const Hierarchy& hierarchy_;
  std::unordered_set<std::uint64_t> reused_; // lines
  std::vector<Ahead> ahead_;                 // by warp
  WarpEvent event_;
  std::vector<LaneAccess> lanes_;
  std::vector<LineRequest> requests_;
  std::vector<std::uint64_t> missing_sets_;
};

} // namespace gputest::memory
