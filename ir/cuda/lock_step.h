// Code that relies on the threads of a warp going on together, as they did before Volta.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::simulator {

// In `item` (lower.h): before every access of a volatile __shared__ variable the threads of a warp
// wait for each other, as far as they come there. Programs from before __syncwarp() exchange values
// that way, and are right only if all lanes have read before the first one writes.
void stop_at_volatile(llvm::Function& item);

} // namespace gputest::simulator
