// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts addresses of __shared__ memory, which have 32 bits in PTX and 64 bits here.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gputest::ir {

// Returns the pointer to __shared__ memory whose lower 32 bits are `address`. The result is a call
// that find_shared_addresses() replaces when the kernel's variables are known.
llvm::Value* shared_at(llvm::IRBuilder<>& builder, llvm::Value* address);

bool is_shared_at(const llvm::Instruction& instruction); // whether it is such a call

// Replaces these calls by pointers into the __shared__ variable of the module that contains the
// address. Also replaces the questions which memory a pointer points to (llvm.nvvm.isspacep.shared
// and its like).
void find_shared_addresses(llvm::Module& module);

} // namespace gputest::ir
