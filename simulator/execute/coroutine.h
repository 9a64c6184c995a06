// Work-items that wait: the function of one becomes a coroutine that every barrier suspends,
// and every visit of shared memory where interleavings are explored (visits.h).
#pragma once

#include "ir/kernel.h"

namespace gputest::simulator {

// Turns gputest_item (lower.h) into
//
//     void gputest_begin(ptr context, ptr arguments, i64 x, i64 y, i64 z, ptr frame)
//     void gputest_resume(ptr frame)
//
// Both run to the next barrier or visit, or to the end, and leave in the context's status where
// they stopped. Sets the shape's frame_size.
void make_coroutine(llvm::Module& module, KernelShape& shape);

} // namespace gputest::simulator
