// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells device code of CUDA from OpenCL C, where both take the same way.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

constexpr const char* kCudaMark = "gputest.cuda";

inline bool is_cuda(const llvm::Module& module) {
  return module.getNamedMetadata(kCudaMark) != nullptr;
}

inline void mark_as_cuda(llvm::Module& module) {
  module.getOrInsertNamedMetadata(kCudaMark);
}

} // namespace gputest::ir
