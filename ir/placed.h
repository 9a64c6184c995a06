// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the launch places for a kernel: arguments, and variables that work-items share.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/IRBuilder.h>

namespace gputest::ir {

// The begin of an object of the shape, and its bytes.
struct PlacedObject {
  llvm::Value *begin, *size;
};
// `function`: its first argument is the context. `write`: the size is that for writes.
PlacedObject placed_object(llvm::IRBuilder<>& builder, llvm::Function& function, unsigned index,
                           bool write);

// How far the address, a number, is behind the begin of an object; very far if it is in front of
// it.
llvm::Value* offset_in_object(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* begin);

// Whether the address, a number, is in __local memory. All of it must be placed.
llvm::Value* is_in_local_memory(llvm::IRBuilder<>& builder, llvm::Function& item,
                                const KernelShape& shape, llvm::Value* address);

// States that the loaded pointer is 0 or a multiple of `alignment`.
void set_alignment(llvm::LoadInst& load, std::uint64_t alignment);

// Makes program-scope variables that `item` (kernels/lower.h) uses objects of the shape, and what
// they may point to. They keep their values across launches of all kernels.
// Initial values of private variables with addresses, as in `int* tables[2] = {a, b}`, become
// code.
void place_program_variables(llvm::Function& item, KernelShape& shape);

// The same for memory whose size the launch decides (CUDA: extern __shared__). All such variables
// are one object.
void place_dynamic_variables(llvm::Function& item, KernelShape& shape);

// The same for __local variables, because watched memory must be next to the buffers.
void place_local_variables(llvm::Function& item, KernelShape& shape);

} // namespace gputest::ir
