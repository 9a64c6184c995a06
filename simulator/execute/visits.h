// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks visits: accesses of memory that other work-items may see, where interleavings matter.
#pragma once

#include "ir/kernel.h"

namespace gputest::simulator {

// gputest_visit(ptr written, i64 size, i64 effect, ptr read, i64 size, i64 value, i64 site) is
// called before each visit. make_coroutine() makes each call a stop.
constexpr const char* kVisitFunction = "gputest_visit";

// Inserts the calls in `item` (ir/kernels/lower.h) before all accesses to global and __local memory
// that the kernel may write. Throws SourceError for written images and program-scope variables,
// which cannot be explored.
void mark_visits(llvm::Function& item, ir::KernelShape& shape);

} // namespace gputest::simulator
