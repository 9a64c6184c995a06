// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of a work-item's code for tracing: its blocks, their memory accesses, and the order of
// blocks of several work-items.
//
// Each execution of a block has a key, such as [place of the outer loop, its iteration, place of
// the inner loop, its iteration, place of the block]. Keys are compared from the left. Places are
// numbers in reverse post order, so a work-item's keys grow. Work-items of a warp with the same key
// execute together, and the lowest key goes first. So the sides of a branch run one after the
// other. All work-items meet where the sides join, and at the end of each iteration of a loop.
#pragma once

#include "memory/model/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::memory {

// How often a GPU's compiler makes an instruction of a loop (unrolling.h).
enum class Made : std::uint8_t {
  Always,   // in each iteration
  Unrolled, // once in Gpu::unrolled iterations
  InFront,  // in front of the loop
  Fused     // as a part of the addition behind it: x * y + z
};

// Divisions of integers by variables, which are several instructions (Gpu::division).
struct Divisions {
  std::uint64_t always = 0, in_front = 0; // without the instructions of their divisors
  std::uint64_t divisors = 0, divisors_in_front = 0;
};

// Instructions that are not one in each iteration.
struct LessOften {
  std::uint64_t unrolled = 0, in_front = 0, fused = 0;
  Divisions divisions{};
};

struct BlockStep {
  enum class Kind { Access, Barrier, Wait };
  std::uint64_t compute = 0; // instructions in front of it
  LessOften less{};          // more of them
  Kind kind = Kind::Access;
  std::uint32_t reference = 0; // Access, Wait
  bool own = false;            // Access: of a private array
  // `own`, where the array is in registers: how often its instruction is made; nullopt: another
  // access of the instruction counts.
  std::optional<Made> as_register{};
  bool texels = false;    // Access: of an image
  bool plain = true;      // Access: has the reference's object and size; false: these are recorded
  Need need = Need::Last; // Wait: for the value of a load
};

struct Block {
  std::uint32_t place = 0;            // in reverse post order
  std::vector<std::uint32_t> loops{}; // the loops around it, outermost first
  std::int64_t header_of = -1;        // the loop that it begins; -1: none
  std::vector<BlockStep> steps{};
  std::uint64_t compute = 0;      // instructions after the last step
  LessOften less{};               // more of them
  std::vector<BlockStep> waits{}; // behind all instructions

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
  std::uint32_t first_image = 0;          // index in the trace: its images, one after the other
};

// The record of a work-item. Each executed block has a word with its number. Then each of its
// accesses has one word, the offset, or three words if it is not plain: object, offset, size.
// kNoObject: private memory, which is left out. An access of an image has a word for the image, for
// the number of its texels, and for the offset of each.
using ItemWords = std::vector<std::uint64_t>;
constexpr std::uint64_t kNoObject = ~std::uint64_t{0};

} // namespace gputest::memory
