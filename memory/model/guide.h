// Which warp hurts others most if it goes on now (Chattopadhyay, Eles and Peng, EMSOFT 2014,
// equations 5 to 8). The trace says what each warp does next.
#pragma once

#include "memory/model/hierarchy.h"
#include "memory/model/layout.h"
#include "memory/model/trace.h"

#include <compare>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace gputest::memory {

// What a warp would do until it has to wait. Evictions count first.
struct Harm {
  std::uint32_t evictions = 0; // of lines that waiting warps use again
  std::uint32_t queued = 0;    // requests to banks of DRAM that have some already
  auto operator<=>(const Harm&) const = default;
};

class Guide {
public:
  Guide(const Gpu& gpu, const LaunchTrace& trace, const Layout& layout, const Hierarchy& hierarchy)
      : gpu_(gpu), trace_(trace), layout_(layout), hierarchy_(hierarchy) {}

  struct Where {
    std::size_t warp = 0;           // any number that only this warp has
    std::size_t core = 0, slot = 0; // slot: of local memory
  };

  // Before the first harm() of a choice: forgets the warps that waited at the last.
  void begin() { reused_.clear(); }
  // A warp that waits: what it accesses next and the cache has.
  void add_waiting(const WarpReader& reader, const Where& where);
  Harm harm(const WarpReader& reader, const Where& where, Cycles at);

private:
  // What a warp accesses next; the same until it goes on.
  struct Ahead {
    const std::uint8_t* position = nullptr;
    std::vector<std::uint64_t> lines{}; // of all accesses
    std::vector<std::size_t> ends{};    // of each access in `lines`
    std::size_t before_barrier = 0;     // so many accesses come before a barrier
  };
  const Ahead& ahead_of(const WarpReader& reader, const Where& where);
  bool lines_of(const WarpEvent& event, const Where& where);

  static constexpr unsigned kAhead = 4; // accesses of a warp that are looked at
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
