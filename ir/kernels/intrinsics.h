// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the NVPTX instructions that Clang's CUDA headers use.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Replaces special registers by OpenCL's work-item functions, __syncthreads() by its barrier, and
// other intrinsics by gputest_… functions (work_items.cpp, simulator/natives/natives.cpp) or LLVM
// instructions. Unknown ones stay; a kernel that calls one is refused with its name.
void lower_intrinsics(llvm::Module& module);

} // namespace gputest::ir
