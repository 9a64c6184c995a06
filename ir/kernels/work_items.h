// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers work-item functions and refuses functions that the simulator does not have.
#pragma once

#include "ir/kernel.h"

namespace gputest::ir {

// In `item` (lower.h), replaces work-item functions by reads of the context and of the local id,
// and barriers by calls of gputest_barrier. Removes fences, because accesses of a work-item are
// never reordered, unless `keeps_fences`. Throws SourceError with the names of all other functions
// without a body.
//
// Also splits multiply-add operations that a processor may fuse or not, in kept functions (kept.h),
// too.
void lower_work_item_functions(llvm::Function& item, KernelShape& shape, bool keeps_fences);

} // namespace gputest::ir
