// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what is assigned to has a value before: then a mutant that adds to it, or that leaves the
// assignment out, can be compared.
#pragma once

#include <clang/AST/Expr.h>

namespace gputest::passes::mutation {

enum class ValueBefore {
  None,   // a variable without a value, or nobody knows
  Likely, // memory that may be an array without values; nothing can be proved with it
  Known,  // memory of others, or a variable with a value
};

// `target`: the left side of an assignment.
ValueBefore value_before(const clang::Expr& target, bool is_cpp);

} // namespace gputest::passes::mutation
