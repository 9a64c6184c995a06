// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive functions that ask who runs them, or that wait.
#pragma once

#include <llvm/IR/Module.h>

#include <set>

namespace gputest::ir {

// Recursive functions stay functions (kept.h), which do not know the work-item. Makes the answers
// of work-item functions, and the addresses of __shared__ variables, parameters of those that ask,
// and of what they call: their callers ask in their place. Changes nothing if the address of such a
// function is taken.
void hand_down_ids(llvm::Module& module);

// Makes loops of recursive functions whose last action is to call themselves, except for `kept`
// ones. Threads may wait in the loop. Returns whether there are functions that call themselves.
bool make_loops_of_last_calls(llvm::Module& module, const std::set<const llvm::Function*>& kept);

} // namespace gputest::ir
