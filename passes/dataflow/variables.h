// What expressions say of variables.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace gputest::passes {

using Variables = std::set<const clang::VarDecl*>;

// The variable that `expression` is, parentheses and implicit conversions aside; nullptr: none.
const clang::VarDecl* variable_of(const clang::Expr& expression);

// A variable of a function that each work-item has for itself.
bool is_private(const clang::VarDecl& variable);

// Variables that are assigned, incremented or decremented below `node`.
Variables assigned_in(const clang::Stmt& node);
// Those whose address is taken: they may change where nobody names them.
Variables addressed_in(const clang::Stmt& node);

} // namespace gputest::passes
