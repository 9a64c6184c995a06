// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts the function of a work-item at its barriers into segments, so that a loop runs all
// work-items through a segment before the next begins ("parallel regions": Jääskeläinen et al.,
// pocl, 2015, section 4). Barriers need not be uniform: each work-item returns where it has
// stopped, and those at the same place go on in one loop.
#pragma once

#include "ir/kernel.h"

#include <optional>

namespace gputest::simulator {

struct Segments {
  unsigned count = 1;      // one from the begin, and one from each stop
  unsigned junctions = 0;  // further segments, in which a work-item goes on at once (junctions.h)
  bool independent = true; // work-items share no variables of the generated code
};

// Turns gputest_item (lower.h) into
//
//     i64 gputest_segment(ptr context, ptr arguments, i64 x, i64 y, i64 z, i64 item, ptr frames,
//                         i64 stride, i32 segment)
//
// which runs a work-item from the begin of `segment` to its next stop. It returns the number of the
// next segment (0: none) in the upper half and the status (context.h) in the lower. `frames` holds
// kept values, each beside those of the other work-items: the shape's frame_size bytes for each of
// `stride` work-items, a multiple of 64. The first 4 bytes of each are the caller's. Returns
// nullopt, with the function unchanged, if the result would be too large or the function cannot be
// cut. The function must have been simplified (ir/optimise.h).
std::optional<Segments> make_segments(llvm::Module& module, ir::KernelShape& shape);

} // namespace gputest::simulator
