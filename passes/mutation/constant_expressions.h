// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds expressions that compilers evaluate. A mutant that is chosen at run time cannot be in them.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace gputest::passes::mutation {

// Whether the language accepts only a constant for this operand: the 0 of a null pointer or of an
// event, or the flags of a sampler. If a file-scope sampler is passed to a function, Clang also
// puts the sampler's initialiser there.
bool is_constant_operand(const clang::Expr& operand);

// Returns variables of `function`, such as `const int n = 16;`, whose values are needed by sizes of
// arrays, case labels, enumerators, static assertions or attributes.
std::set<const clang::VarDecl*> constant_variables(const clang::FunctionDecl& function);

} // namespace gputest::passes::mutation
