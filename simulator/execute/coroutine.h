// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the function of a work-item a coroutine, which barriers suspend. When interleavings are
// explored, accesses of shared memory suspend it, too (visits.h).
#pragma once

#include "ir/kernel.h"

namespace gputest::simulator {

// Turns gputest_item (lower.h) into
//
//     void gputest_begin(ptr context, ptr arguments, i64 x, i64 y, i64 z, ptr frame)
//     void gputest_resume(ptr frame)
//
// Both run to the next stop or to the end, and store the work-item's status in the context. Sets
// the shape's frame_size.
void make_coroutine(llvm::Module& module, ir::KernelShape& shape);

} // namespace gputest::simulator
