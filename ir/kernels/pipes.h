// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions for pipes (OpenCL C 2.0, 6.13.16).
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gputest::ir {

// If the call is one of the simulator's for a pipe (templates/simulator/pipes.cl), tells its place
// before it. If it is is_valid_reserve_id(), replaces it. Returns whether it is one of these.
bool lower_pipe(llvm::IRBuilder<>& builder, llvm::CallInst& call, KernelShape& shape);

} // namespace gputest::ir
