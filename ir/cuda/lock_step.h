// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Supports code that relies on threads of a warp running in lock step, as before Volta.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::ir {

// Inserts waits before accesses of volatile __shared__ variables in `item` (ir/kernels/lower.h).
// There, the threads of a warp that come wait for each other. A read has a wait if something may
// have been written since the last wait or barrier; a write has one if something may have been read
// or written. Programs older than __syncwarp() exchange values this way. They are correct only if
// all lanes read before the first one writes. Returns whether there are such waits.
bool stop_at_volatile(llvm::Function& item);

} // namespace gputest::ir
