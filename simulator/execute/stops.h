// Where a work-item stops: at barriers, for its warp, and before visits of shared memory.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

bool is_stop(const llvm::Instruction& instruction);

// What the status of a work-item is (context.h) that stops at a barrier or for its warp.
llvm::Value* status_of_stop(llvm::IRBuilder<>& builder, const llvm::CallInst& stop);

} // namespace gputest::simulator
