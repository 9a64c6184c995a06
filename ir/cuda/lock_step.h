// Code that relies on the threads of a warp going on together, as they did before Volta.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::simulator {

// In `item` (lower.h): before accesses of volatile __shared__ variables the threads of a warp wait
// for each other, as far as they come there: before a read if something may have been written since
// they last did, or since a barrier of the block, and before a write if anything may have been
// done. Programs from before __syncwarp() exchange values that way, and are right only if all lanes
// have read before the first one writes.
void stop_at_volatile(llvm::Function& item);

} // namespace gputest::simulator
