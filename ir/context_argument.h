// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes the context to kept functions (kernels/kept.h) that use variables placed by the launch.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

namespace gputest::ir {

// Adds a first parameter, the first argument of `item` (kernels/lower.h), to all other functions
// that use one of the variables or call such a function.
void give_context(llvm::Function& item, llvm::ArrayRef<llvm::GlobalVariable*> variables);

} // namespace gputest::ir
