// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places objects in memory, which gives the places of a trace their addresses.
#pragma once

#include "memory/model/trace.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

// A changed placement of an object, to see its effect.
struct LayoutChange {
  std::uint32_t object = 0;
  std::uint64_t moved = 0; // free bytes in front of it
  // `padding` free bytes follow each `row` bytes of the object. 0: none.
  std::uint64_t row = 0, padding = 0;
};

// Places arguments one after the other in the order of the trace, each at a multiple of kAlignment,
// as OpenCL implementations do. Local objects of a group are placed likewise. Those of all resident
// groups follow the arguments.
class Layout {
public:
  explicit Layout(const LaunchTrace& trace, const std::vector<LayoutChange>& changes = {});

  // `slot`: for local objects, the number of the resident group.
  std::uint64_t address(const Place& place, std::size_t slot) const {
    const Entry& entry = entries_[place.object];
    return within(entry, place) + (entry.local ? slot * local_size_ + locals_ : 0);
  }

  // Returns the offset in the group's local memory.
  std::uint64_t local_address(const Place& place) const {
    return within(entries_[place.object], place);
  }

  // Returns the address of an object; for a __local one, that of the first group.
  std::uint64_t begin_of(std::uint32_t object) const {
    const Entry& entry = entries_[object];
    return entry.begin + (entry.local ? locals_ : 0);
  }

  std::uint64_t local_size() const { return local_size_; } // bytes for each group

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
