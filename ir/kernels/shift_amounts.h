// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Amounts of shifts that OpenCL C takes modulo the width of the type.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

enum class MadeBy {
  Clang,
  AnyCompiler // of SPIR-V, which may have been optimised
};

// Gives Clang's masks of shifts kClamped (ir/protected.h). In optimised code they cannot be told
// from masks that the author has written, and have none.
void mark_masked_shifts(llvm::Module& module, MadeBy made_by);

} // namespace gputest::ir
