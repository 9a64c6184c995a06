// Addresses of __shared__ memory have 32 bits in PTX, and 64 here.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

// The pointer (of __shared__ memory) whose lower 32 bits are `address`. What it points into is
// known when the kernel's variables are: find_shared_addresses().
llvm::Value* shared_at(llvm::IRBuilder<>& builder, llvm::Value* address);

bool is_shared_at(const llvm::Instruction& instruction); // it is such a call

// Makes pointers of those addresses, of which one of the module's __shared__ variables has each.
// Tells what asks which memory a pointer is of (llvm.nvvm.isspacep.shared).
void find_shared_addresses(llvm::Module& module);

} // namespace gputest::simulator
