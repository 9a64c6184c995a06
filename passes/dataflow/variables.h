// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the variables that expressions use.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace gputest::passes {

using Variables = std::set<const clang::VarDecl*>;

// Returns the variable that `expression` names, through parentheses and implicit conversions;
// nullptr if it names none.
const clang::VarDecl* variable_of(const clang::Expr& expression);

// Whether this is a variable of a function in private memory: each work-item has its own.
bool is_private(const clang::VarDecl& variable);

// Variables that are assigned, incremented or decremented below `node`.
Variables assigned_in(const clang::Stmt& node);
// Variables below `node` whose address is taken. They may change without being named.
Variables addressed_in(const clang::Stmt& node);

} // namespace gputest::passes
