// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C's questions about generic pointers.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>

namespace gputest::ir {

// Whether it calls to_global(), to_local(), to_private() or get_fence().
bool asks_for_space(const llvm::Instruction& instruction);

// Replaces these calls in `item` (lower.h) by comparisons with the memory that the launch places.
// `shape` has its arguments as objects, and variables of the program and the group are still those
// of the module. What is neither global nor local is private.
void tell_generic_pointers(llvm::Function& item, const KernelShape& shape);

} // namespace gputest::ir
