// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stops of a work-item: barriers, waits for its warp, and visits of shared memory.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

// Whether the instruction is a call at which a work-item stops.
bool is_stop(const llvm::Instruction& instruction);

// Returns the status (context.h) of a work-item that stops at a barrier or for its warp.
llvm::Value* status_of_stop(llvm::IRBuilder<>& builder, const llvm::CallInst& stop);

} // namespace gputest::simulator
