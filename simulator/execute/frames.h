// What the work-items of a group keep while they wait.
#pragma once

#include "ir/kernel.h"
#include "simulator/execute/arena.h"
#include "templates/simulator/context.h"

#include <vector>

namespace gputest::simulator {

class Frames {
public:
  // For `items` work-items; the context gets to know them.
  Frames(const KernelShape& shape, std::size_t items, gputest_context& context)
      : statuses_(shape.has_barriers ? items : 0), slots_(shape.warps ? items : 0),
        arena_(items * shape.frame_size) {
    context.statuses = statuses_.data();
    context.slots = slots_.data();
    context.frame_size = shape.frame_size;
    if (shape.has_barriers)
      context.frames =
          reinterpret_cast<gputest_u8*>(arena_.allocate("frames", items * shape.frame_size).begin);
  }

private:
  std::vector<gputest_u32> statuses_;
  std::vector<gputest_slot> slots_;
  Arena arena_;
};

} // namespace gputest::simulator
