// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 1.2's atomic functions of 32-bit integers.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Defines those that `module` declares, as libclc does. Opening libclc takes longer than compiling
// a small kernel, and variants for coverage and mutants call no other function of it.
void define_plain_atomics(llvm::Module& module);

} // namespace gputest::ir
