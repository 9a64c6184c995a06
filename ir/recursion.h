// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive functions that ask who runs them.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::simulator {

// Recursive functions stay functions (kept.h), which do not know the work-item. Makes the answers
// of work-item functions parameters of those that ask, and of what they call: their callers ask in
// their place. Changes nothing if the address of such a function is taken.
void hand_down_ids(llvm::Module& module);

} // namespace gputest::simulator
