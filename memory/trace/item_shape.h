// The code of a work-item as a trace needs it: which blocks there are, what each does to memory,
// and how blocks of several work-items are put in one order.
//
// Blocks of loops have the loops' iterations in front: [place of the outer loop, its iteration,
// place of the inner loop, its iteration, place of the block], compared from the left. Places are
// numbers in reverse post order, so every work-item goes through growing keys. Work-items of a warp
// that are at the same key do the same; the lowest key goes first. So the sides of a branch run one
// after the other, and everybody meets where they join, and at the end of each iteration of a loop.
#pragma once

#include "memory/model/trace.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

struct BlockStep {
  enum class Kind { Access, Barrier };
  std::uint64_t compute = 0; // instructions in front of it
  Kind kind = Kind::Access;
  std::uint32_t reference = 0; // Access
  bool plain = true; // Access: of the reference's object and size; else the trace says which
};

struct Block {
  std::uint32_t place = 0;            // in reverse post order
  std::vector<std::uint32_t> loops{}; // that it is in, the outermost first
  std::int64_t header_of = -1;        // the loop
  std::vector<BlockStep> steps{};
  std::uint64_t compute = 0; // instructions behind the last step

  bool is_in(std::uint32_t loop) const {
    for (const std::uint32_t one : loops)
      if (one == loop)
        return true;
    return false;
  }
};

struct ItemShape {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> loop_places; // by loop: its header's place
};

// What is recorded of a work-item: for each block that it runs a word with the block's number, then
// of each access in it one word, the offset; of one that is not plain three words: the object, the
// offset, the size. No object: memory of the work-item itself, which is left out.
using ItemWords = std::vector<std::uint64_t>;
constexpr std::uint64_t kNoObject = ~std::uint64_t{0};

} // namespace gputest::memory
