// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/layout.h"

namespace gputest::memory {
namespace {

std::uint64_t aligned(std::uint64_t address) {
  return (address + Layout::kAlignment - 1) / Layout::kAlignment * Layout::kAlignment;
}

} // namespace

Layout::Layout(const LaunchTrace& trace, const std::vector<LayoutChange>& changes) {
  for (std::uint32_t i = 0; i < trace.objects.size(); ++i) {
    const MemoryObject& object = trace.objects[i];
    Entry entry{.local = object.local};
    std::uint64_t size = object.size;
    std::uint64_t& end = object.local ? local_size_ : locals_;
    entry.begin = end;
    for (const LayoutChange& change : changes)
      if (change.object == i) {
        entry.begin += change.moved;
        entry.row = change.row;
        entry.padding = change.padding;
        if (change.row != 0)
          size += (size + change.row - 1) / change.row * change.padding;
      }
    end = aligned(entry.begin + size);
    entries_.push_back(entry);
  }
}

} // namespace gputest::memory
