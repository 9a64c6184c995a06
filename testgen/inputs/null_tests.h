// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the pointers that a kernel takes for ones that may be null.
#pragma once

#include <llvm/IR/Argument.h>

namespace gputest::testgen {

// Whether the function, or one that it hands the parameter to, compares it with a null pointer:
// `if (mask)`, `mask != NULL ? … : …`. A pointer that is kept in memory, or computed with, is not
// followed.
bool is_compared_with_null(const llvm::Argument& pointer);

} // namespace gputest::testgen
