// Where objects lie in memory: what addresses a trace's places have.
#pragma once

#include "memory/model/trace.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

// A change of how an object lies, to see what it brings.
struct LayoutChange {
  std::uint32_t object = 0;
  std::uint64_t moved = 0; // bytes that are left free in front of it
  // Behind each `row` bytes of its content `padding` bytes are left free. 0: none.
  std::uint64_t row = 0, padding = 0;
};

// Arguments lie one after the other in the order of the trace, each at a multiple of kAlignment, as
// OpenCL implementations place them. Local objects of a group follow each other in the same way,
// those of all groups that are there at the same time behind everything else.
class Layout {
public:
  explicit Layout(const LaunchTrace& trace, const std::vector<LayoutChange>& changes = {});

  // `slot`: of local objects, which of the groups that are there.
  std::uint64_t address(const Place& place, std::size_t slot) const {
    const Entry& entry = entries_[place.object];
    return within(entry, place) + (entry.local ? slot * local_size_ + locals_ : 0);
  }

  // From the begin of the group's local memory.
  std::uint64_t local_address(const Place& place) const {
    return within(entries_[place.object], place);
  }

  // Where an object of global memory begins, or __local one of the first group.
  std::uint64_t begin_of(std::uint32_t object) const {
    const Entry& entry = entries_[object];
    return entry.begin + (entry.local ? locals_ : 0);
  }

  std::uint64_t local_size() const { return local_size_; } // bytes of a group

  static constexpr std::uint64_t kAlignment = 256;

private:
  struct Entry {
    std::uint64_t begin = 0, row = 0, padding = 0;
    bool local = false;
  };
  static std::uint64_t within(const Entry& entry, const Place& place) {
    return entry.begin + place.offset +
           (entry.row != 0 ? place.offset / entry.row * entry.padding : 0);
  }

  std::vector<Entry> entries_;
  std::uint64_t locals_ = 0, local_size_ = 0;
};

} // namespace gputest::memory
