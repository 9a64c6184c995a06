// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/layout.h"

namespace gputest::memory {
namespace {

constexpr std::uint64_t kOwnAlignment = 16;

std::uint64_t aligned(std::uint64_t address) {
  return (address + Layout::kAlignment - 1) / Layout::kAlignment * Layout::kAlignment;
}

} // namespace

Layout::Layout(const LaunchTrace& trace, const std::vector<LayoutChange>& changes,
               std::string_view tile) {
  for (std::uint32_t i = 0; i < trace.objects.size(); ++i) {
    const MemoryObject& object = trace.objects[i];
    Entry& entry = entries_.emplace_back(Entry{.local = object.local, .own = object.own});
    if (object.own || object.part_of)
      continue;
    std::uint64_t size = object.size;
    std::uint64_t& end = object.local ? local_size_ : locals_;
    if (object.image) {
      const bool by_rows = std::ranges::any_of(changes, [&](const LayoutChange& change) {
        return change.object == i && change.by_rows;
      });
      size = begin_image(entry, *object.image, by_rows ? std::string_view() : tile, end);
    }
    entry.begin = end;
    for (const LayoutChange& change : changes)
      if (change.object == i) {
        entry.begin += change.moved;
        entry.row = change.row;
        entry.padding = change.padding;
        if (change.row != 0)
          size += (size + change.row - 1) / change.row * change.padding;
        if (change.element != 0) {
          entry.element = change.element;
          entry.fields = change.fields;
          entry.count = (object.size + change.element - 1) / change.element;
          size = entry.count * change.element;
        }
      }
    end = aligned(entry.begin + size);
  }
  add_own_and_parts(trace);
}

// Moves `end` to where the image may begin, and returns the bytes that it takes.
std::uint64_t Layout::begin_image(Entry& entry, const ImageShape& image, std::string_view tile,
                                  std::uint64_t& end) {
  entry.texels.emplace(image, tile);
  const std::uint64_t alignment = entry.texels->alignment();
  end = (end + alignment - 1) / alignment * alignment;
  return entry.texels->size();
}

Layout::Layout(const LaunchTrace& before, const LaunchTrace& trace, const Layout& next,
               std::string_view tile)
    : locals_(next.locals_) {
  std::uint64_t others = kBeforeBegin;
  for (const MemoryObject& object : before.objects) {
    Entry& entry = entries_.emplace_back(Entry{.local = object.local, .own = object.own});
    if (object.own || object.part_of)
      continue;
    const auto same = std::ranges::find_if(trace.objects, [&](const MemoryObject& one) {
      return object.address && one.address == object.address && !one.part_of &&
             object.size <= one.size;
    });
    if (same != trace.objects.end()) {
      entry = next.entries_[static_cast<std::size_t>(same - trace.objects.begin())];
      continue;
    }
    std::uint64_t& end = object.local ? local_size_ : others;
    const std::uint64_t size =
        object.image ? begin_image(entry, *object.image, tile, end) : object.size;
    entry.begin = end;
    end = aligned(entry.begin + size);
  }
  add_own_and_parts(before);
}

// Private arrays, and parts of objects that are placed.
void Layout::add_own_and_parts(const LaunchTrace& trace) {
  warp_size_ = std::max<std::size_t>(trace.warp_size, 1);
  for (std::size_t group = 0; group < trace.group_count(); ++group)
    warps_of_group_ =
        std::max<std::size_t>(warps_of_group_, trace.groups[group + 1] - trace.groups[group]);
  for (std::uint32_t i = 0; i < trace.objects.size(); ++i) {
    const MemoryObject& object = trace.objects[i];
    if (object.own) {
      entries_[i].begin = own_size_;
      own_size_ += (object.size + kOwnAlignment - 1) / kOwnAlignment * kOwnAlignment;
    } else if (object.part_of) {
      entries_[i] = entries_[*object.part_of];
      entries_[i].part_begin = object.part_begin;
    }
  }
}

} // namespace gputest::memory
