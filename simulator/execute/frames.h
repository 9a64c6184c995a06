// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory in which work-items of a group keep values while they wait.
#pragma once

#include "ir/error.h"
#include "ir/kernel.h"
#include "simulator/memory/arena.h"
#include "templates/simulator/context.h"

#include <fmt/format.h>
#include <vector>

namespace gputest::simulator {

class Frames {
public:
  // For `items` work-items.
  Frames(const ir::KernelShape& shape, std::size_t items)
      : statuses_(shape.has_barriers ? items : 0), slots_(shape.warps || shape.collectives ? 1 : 0),
        arena_(Arena::space_for(size_of(shape, items))) {
    if (!slots_.empty() && items > GPUTEST_MOST_THREADS)
      throw ir::InputError(shape.language == model::Language::Cuda
                               ? fmt::format("a block has at most {} threads", GPUTEST_MOST_THREADS)
                               : fmt::format("a work-group has at most {} work-items if the kernel "
                                             "calls work-group or sub-group functions",
                                             GPUTEST_MOST_THREADS));
    if (shape.has_barriers)
      frames_ =
          reinterpret_cast<gputest_u8*>(arena_.allocate("frames", size_of(shape, items)).begin);
    frame_size_ = shape.frame_size;
  }

  // Sets the context's words for frames.
  void describe(gputest_context& context) {
    context.statuses = statuses_.data();
    context.slots = slots_.data();
    context.frame_size = frame_size_;
    context.frames = frames_;
  }

private:
  // Includes the gaps between values of segments.
  static std::size_t size_of(const ir::KernelShape& shape, std::size_t items) {
    return shape.has_barriers ? (items + 63) / 64 * 64 * shape.frame_size : 0;
  }

  std::vector<gputest_u32> statuses_;
  std::vector<gputest_slots> slots_;
  Arena arena_;
  gputest_u8* frames_ = nullptr;
  std::size_t frame_size_ = 0;
};

} // namespace gputest::simulator
