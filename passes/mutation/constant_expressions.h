// Expressions that compilers evaluate. No mutant that is chosen at run time can be in such an
// expression.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace gputest::passes::mutation {

// Whether the language accepts only a constant for this operand: the 0 of a null pointer or of an
// event, or the flags of a sampler. If a file-scope sampler is passed to a function, Clang also
// puts the sampler's initialiser there.
bool is_constant_operand(const clang::Expr& operand);

// Variables of `function`, such as `const int n = 16;`, whose values sizes of arrays, labels of
// cases, enumerators, static assertions or attributes need.
std::set<const clang::VarDecl*> constant_variables(const clang::FunctionDecl& function);

} // namespace gputest::passes::mutation
