// What a kernel asks about its place in the NDRange, and what it may ask for at all.
#pragma once

#include "ir/kernel.h"

namespace gputest::simulator {

// In `item`, the function of one work-item (lower.h): work-item functions become reads of the
// context and of the local id, barriers calls of gputest_barrier, fences nothing, because a
// work-item's accesses are never reordered here, unless they are kept for those who look at orders.
// Throws SourceError that names every other function without a body.
//
// Multiplications and additions that processors fuse as they like become two, in functions that are
// kept (kept.h) as well.
void lower_work_item_functions(llvm::Function& item, KernelShape& shape, bool keeps_fences);

} // namespace gputest::simulator
