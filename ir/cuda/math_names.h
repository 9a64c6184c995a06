// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's mathematics in device code of CUDA.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Clang makes calls of the C library's functions of builtins such as __builtin_atan2f(), which
// nvcc takes for those of CUDA's library. Gives such functions of a CUDA module the library's
// names, `__nv_atan2f`, unless the module defines them.
void name_math_functions(llvm::Module& module);

} // namespace gputest::ir
