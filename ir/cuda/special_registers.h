// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's special registers, whose values each thread has for itself.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gputest::ir {

// Returns the value of `name` ("tid.x", "laneid"), 32 or 64 bits; null: there is no such register.
llvm::Value* special_register(llvm::IRBuilder<>& builder, llvm::StringRef name);

} // namespace gputest::ir
