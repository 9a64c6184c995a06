// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items in lock step, on request: n neighbours make each access of shared memory together, as
// the lanes of a warp do on GPUs where these have one instruction pointer. For kernels whose
// authors rely on that and leave out barriers. Which kernels: lock_step_of() in
// ir/sub_group_size.h.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::ir {

// Inserts waits in `item` (kernels/lower.h), at which those lanes that have come go on together:
//
// - before an access that conflicts with what may have been accessed since the last wait: all lanes
//   read before one writes, and all have written before one reads;
// - before a decision about shared accesses, and where its paths meet again.
//
// Each wait has a number. Lanes at the lowest one go first (templates/simulator/answers.c): lanes
// that have left a branch or a loop wait for those within, where its paths meet.
void keep_in_step(llvm::Function& item);

} // namespace gputest::ir
