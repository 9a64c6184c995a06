// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one function of a whole program.
#pragma once

#include "ir/kernels/kept.h"

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Inlines all calls of functions with a body into `kernel`, except of kept functions (kept.h), and
// removes the other functions with a body. Throws SourceError with the calls for recursion, which
// OpenCL C does not allow. Where kExitFunction is called, the kernel returns.
void inline_calls(llvm::Module& module, llvm::Function& kernel, Keep keep);

} // namespace gputest::ir
