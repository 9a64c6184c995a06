// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places objects in memory, which gives the places of a trace their addresses.
#pragma once

#include "memory/model/trace.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gputest::memory {

// A changed placement of an object, to see its effect.
struct LayoutChange {
  std::uint32_t object = 0;
  std::uint64_t moved = 0; // free bytes in front of it
  // `padding` free bytes follow each `row` bytes of the object. 0: none.
  std::uint64_t row = 0, padding = 0;
  // The object's elements have so many bytes, and their fields begin at `fields`, the first at 0.
  // All first fields lie together, then all second ones, and so on.
  std::uint64_t element = 0;
  std::vector<std::uint64_t> fields{};
  bool by_rows = false; // an image that lies row by row, not in tiles

  auto operator<=>(const LayoutChange&) const = default;
};

// Places arguments one after the other in the order of the trace, each at a multiple of kAlignment,
// as OpenCL implementations do. Local objects of a group are placed likewise. Those of all resident
// groups follow the arguments. A part of an object lies in it, and moves with it. Private arrays
// lie far behind these, those of a warp together: a word of all its work-items, then the next word,
// as in CUDA's local memory.
class Layout {
public:
  // `tile`: of images (texels.h).
  explicit Layout(const LaunchTrace& trace, const std::vector<LayoutChange>& changes = {},
                  std::string_view tile = {});

  // The layout of the launch before `trace`, which has the layout `next`. Allocations of both
  // launches are at the same place, and all others behind those of `trace`.
  Layout(const LaunchTrace& before, const LaunchTrace& trace, const Layout& next,
         std::string_view tile = {});

  // `slot`: for local objects and private arrays, the number of the resident group. `warp`: for
  // private arrays, its number in the group. Of these, only the words are together.
  std::uint64_t address(const Place& place, std::size_t slot, std::size_t warp = 0) const {
    const Entry& entry = entries_[place.object];
    if (entry.own)
      return own_address(entry, place, slot * warps_of_group_ + warp);
    return within(entry, place) + (entry.local ? slot * local_size_ + locals_ : 0);
  }

  // Returns the offset in the group's local memory.
  std::uint64_t local_address(const Place& place) const {
    return within(entries_[place.object], place);
  }

  // Returns the address of an object; for a __local one, that of the first group.
  std::uint64_t begin_of(std::uint32_t object) const {
    const Entry& entry = entries_[object];
    return entry.begin + entry.part_begin + (entry.local ? locals_ : 0);
  }

  std::uint64_t local_size() const { return local_size_; } // bytes for each group

  static constexpr std::uint64_t kAlignment = 256;
  static constexpr std::uint64_t kOwnBegin = std::uint64_t{1} << 40, kWord = 4; // private arrays

  static constexpr std::uint64_t kBeforeBegin = std::uint64_t{1} << 39; // of the launch before

private:
  struct Entry {
    std::uint64_t begin = 0, row = 0, padding = 0;
    std::uint64_t part_begin = 0; // of a part: where it begins in its object
    bool local = false, own = false;
    std::uint64_t element = 0, count = 0; // count: of elements
    std::vector<std::uint64_t> fields{};
    std::optional<TexelOrder> texels{}; // of an image
  };
  static std::uint64_t begin_image(Entry& entry, const ImageShape& image, std::string_view tile,
                                   std::uint64_t& end);
  void add_own_and_parts(const LaunchTrace& trace);
  std::uint64_t own_address(const Entry& entry, const Place& place, std::size_t warp) const {
    const std::uint64_t word = (entry.begin + place.offset) / kWord;
    return kOwnBegin + ((warp * own_size_ / kWord + word) * warp_size_ + place.lane) * kWord +
           place.offset % kWord;
  }
  static std::uint64_t within_fields(const Entry& entry, std::uint64_t offset) {
    const std::uint64_t rest = offset % entry.element;
    const auto next = std::upper_bound(entry.fields.begin(), entry.fields.end(), rest);
    const std::uint64_t field = *std::prev(next),
                        end = next == entry.fields.end() ? entry.element : *next;
    return entry.begin + field * entry.count + offset / entry.element * (end - field) +
           (rest - field);
  }
  static std::uint64_t within(const Entry& entry, const Place& place) {
    const std::uint64_t offset = entry.part_begin + place.offset;
    if (entry.texels)
      return entry.begin + entry.texels->offset(offset);
    if (entry.element != 0)
      return within_fields(entry, offset);
    return entry.begin + offset + (entry.row != 0 ? offset / entry.row * entry.padding : 0);
  }

  std::vector<Entry> entries_;
  std::uint64_t locals_ = 0, local_size_ = 0;
  std::uint64_t own_size_ = 0; // bytes of the private arrays of a work-item
  std::size_t warps_of_group_ = 1, warp_size_ = 1;
};

} // namespace gputest::memory
