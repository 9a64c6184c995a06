// What Clang's CUDA headers compute with NVPTX's instructions.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::simulator {

// Special registers become OpenCL's work-item functions, __syncthreads its barrier, and the rest
// calls of gputest_… functions (work_items.cpp, simulator/execute/natives.cpp) or LLVM's own
// instructions. What is none of these stays, and is named where a kernel calls it.
void lower_intrinsics(llvm::Module& module);

} // namespace gputest::simulator
