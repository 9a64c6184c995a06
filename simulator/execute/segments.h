// Work-items that run together: the function of one is cut at its barriers, and a loop runs all
// work-items through a part before the next one begins ("parallel regions": Jääskeläinen et al.,
// pocl, 2015, section 4). Nothing is asked about which barriers all work-items reach: each says
// where it has stopped, and those that are at the same place go on in one loop.
#pragma once

#include "ir/kernel.h"

#include <optional>

namespace gputest::simulator {

struct Segments {
  unsigned count = 1;      // from the beginning, and from each place where work-items stop
  unsigned junctions = 0;  // more segments, in which a work-item goes on at once (junctions.h)
  bool independent = true; // work-items share no variable that is not memory of the program
};

// Turns gputest_item (lower.h) into
//
//     i64 gputest_segment(ptr context, ptr arguments, i64 x, i64 y, i64 z, i64 item, ptr frames,
//                         i64 stride, i32 segment)
//
// which runs a work-item from where `segment` begins to where it stops, and returns the number of
// the segment that comes next (0: none) in the upper half, and its status (context.h) in the lower.
// What it keeps lies in `frames`, each value beside those of the other work-items: so many bytes
// for each as the shape's frame_size says, for `stride` of them, a multiple of 64. The first 4 are
// the caller's. Nothing: it would be too large, or has what cannot be cut; only simplified then.
std::optional<Segments> make_segments(llvm::Module& module, KernelShape& shape);

} // namespace gputest::simulator
