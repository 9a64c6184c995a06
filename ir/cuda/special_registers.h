// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's special registers, whose values each thread has for itself.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gputest::ir {

// A function that returns the bytes of the kernel's __shared__ variables of fixed size, until the
// kernel is known (ir/kernels/kernel_addresses.h).
constexpr const char* kStaticShared = "gputest_static_shared";

// Returns the value of `name` ("tid.x", "laneid"), 32 or 64 bits; null: there is no such register.
llvm::Value* special_register(llvm::IRBuilder<>& builder, llvm::StringRef name);

} // namespace gputest::ir
