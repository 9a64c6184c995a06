// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of OpenCL C 2.0, and the kernels that they become when a kernel enqueues them.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gputest::ir {

// Whether Clang made the function from a block that is enqueued. Its parameters are a pointer to
// the block's captured values, and pointers to __local memory.
bool is_block_kernel(const llvm::Function& function);

// Prepares a module for lower(): calls that enqueue a block name its kernel. Clang calls blocks
// directly, so their addresses are needed no more.
void name_blocks(llvm::Module& module);

// If the call is one of a function for device queues (OpenCL C 2.0, 6.13.17), makes it one of the
// simulator (simulator/natives/device_queue.h), and returns true.
bool lower_device_queue(llvm::IRBuilder<>& builder, llvm::CallInst& call, KernelShape& shape);

} // namespace gputest::ir
