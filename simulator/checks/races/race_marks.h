// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks of who accessed which byte of a launch (templates/simulator/races.c), for native code.
#pragma once

#include "simulator/checks/check.h"
#include "simulator/memory/arena.h"
#include "simulator/memory/zero_pages.h"
#include "templates/simulator/context.h"

#include <cstring>
#include <optional>
#include <vector>

namespace gputest::simulator {

// The parts of a mark (templates/simulator/context.h), and the marks of a cell.
struct MarkLayout {
  unsigned site_bits = 15, kinds = 2;
  unsigned item_shift() const { return GPUTEST_SITE_SHIFT + site_bits; }
  unsigned epoch_shift() const { return item_shift() + GPUTEST_ITEM_BITS; }
  unsigned epoch_bits() const { return 64 - epoch_shift(); }
  unsigned cell() const { return kinds * kMark; }
  static constexpr std::size_t kMark = sizeof(std::uint64_t); // bytes
};

// The memory of marks: a cell for each `grain` bytes of the arena, and a second one for the other
// marks. Untouched cells take no memory.
class Marks {
public:
  // Sets the context's words for marks. `rare`: a region that few launches access. Throws
  // SimulatorFailure without memory.
  Marks(const Arena& arena, const Region& rare, unsigned grain, MarkLayout layout,
        gputest_context& context);
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;

  const MarkLayout& layout() const { return layout_; }

  std::byte* cell_of(const std::byte* at) const {
    return begin_ + static_cast<std::size_t>(at - arena_.begin()) / grain_ * layout_.cell();
  }
  static std::uint64_t read(const std::byte* place) {
    std::uint64_t mark = 0;
    std::memcpy(&mark, place, sizeof mark);
    return mark;
  }
  static void write(std::byte* place, std::uint64_t mark) {
    std::memcpy(place, &mark, sizeof mark);
  }
  // Returns the place of the other mark of the mark at `place`.
  std::byte* other(std::byte* place) const { return place + others_; }
  const std::byte* other(const std::byte* place) const { return place + others_; }

  // Whether the byte's cell has the same marks as the cell before it.
  bool as_before(const std::byte* at) const;

  unsigned site_of(std::uint64_t mark) const {
    return static_cast<unsigned>((mark >> GPUTEST_SITE_SHIFT) &
                                 ((std::uint64_t{1} << layout_.site_bits) - 1));
  }
  std::uint64_t item_of(std::uint64_t mark) const {
    return mark >> layout_.item_shift() & ((std::uint64_t{1} << GPUTEST_ITEM_BITS) - 1);
  }
  std::uint64_t epoch_of(std::uint64_t mark) const { return mark >> layout_.epoch_shift(); }

  // Moves marks below `group_start` to the first epoch, and all others to the second.
  void forget_epochs(std::uint64_t group_start);
  // Appends what has left marks in the regions, neighbouring bytes of one kind and place together:
  // at most kMostAccessed entries in all.
  void accessed(const std::vector<Region>& regions, std::vector<Accessed>& found) const;
  static constexpr std::size_t kMostAccessed = std::size_t{1} << 20;
  // Removes all marks.
  void clear();
  // Removes all marks, which are those of the regions and none else, and keeps their memory for the
  // next launch. `rare`: whether the rare region may have marks.
  void keep(bool rare);

private:
  class TouchedPages;
  void accessed(const Region& region, TouchedPages& touched, std::vector<Accessed>& found) const;
  void use_large_pages();

  const Arena& arena_;
  const std::byte* rare_;
  unsigned grain_;
  MarkLayout layout_;
  std::optional<ZeroPages> pages_;
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0, others_ = 0; // bytes; others_: the distance to the other mark
};

} // namespace gputest::simulator
