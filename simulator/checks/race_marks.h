// Who accessed which byte of a launch: the marks of templates/simulator/races.c, as native code
// sees them.
#pragma once

#include "simulator/execute/arena.h"
#include "templates/simulator/context.h"

#include <cstring>

namespace gputest::simulator {

// Where the parts of a mark are (templates/simulator/context.h), and how many a cell has.
struct MarkLayout {
  unsigned site_bits = 15, kinds = 2;
  unsigned item_shift() const { return GPUTEST_SITE_SHIFT + site_bits; }
  unsigned epoch_shift() const { return item_shift() + GPUTEST_ITEM_BITS; }
  unsigned epoch_bits() const { return 64 - epoch_shift(); }
  unsigned cell() const { return kinds * kMark; }
  static constexpr std::size_t kMark = sizeof(std::uint64_t); // bytes
};

// The memory of the marks: a cell for each `grain` bytes of the arena, and as much again for the
// other ones of marks. What nobody touches takes no memory.
class Marks {
public:
  // Sets what kernels need in the context. Throws SimulatorFailure without memory.
  Marks(const Arena& arena, unsigned grain, MarkLayout layout, gputest_context& context);
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;
  ~Marks();

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
  // Of the mark at a place, where its other one is.
  std::byte* other(std::byte* place) const { return place + others_; }
  const std::byte* other(const std::byte* place) const { return place + others_; }

  // Has the byte's cell the same marks as the one before it?
  bool as_before(const std::byte* at) const;

  unsigned site_of(std::uint64_t mark) const {
    return static_cast<unsigned>((mark >> GPUTEST_SITE_SHIFT) &
                                 ((std::uint64_t{1} << layout_.site_bits) - 1));
  }
  std::uint64_t item_of(std::uint64_t mark) const {
    return mark >> layout_.item_shift() & ((std::uint64_t{1} << GPUTEST_ITEM_BITS) - 1);
  }
  std::uint64_t epoch_of(std::uint64_t mark) const { return mark >> layout_.epoch_shift(); }

  // Marks below `group_start` become those of the first epoch, and all others of the second one.
  void forget_epochs(std::uint64_t group_start);
  // There is no mark any more.
  void clear();

private:
  void use_large_pages();

  const Arena& arena_;
  unsigned grain_;
  MarkLayout layout_;
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0, others_ = 0; // bytes; others_: from a mark to its other one
};

} // namespace gputest::simulator
