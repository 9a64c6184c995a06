// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Amounts of shifts that OpenCL C takes modulo the width of the type.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Gives Clang's masks of shifts kClamped (ir/protected.h), of a module as Clang or SPIR-V has it:
// later, a mask that the author has written can no longer be told from them.
void mark_masked_shifts(llvm::Module& module);

} // namespace gputest::ir
