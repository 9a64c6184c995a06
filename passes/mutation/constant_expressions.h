// Expressions that compilers evaluate: no mutant that is chosen at run time can stand there.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <set>

namespace gputest::passes::mutation {

// Whether the language takes a constant alone for this operand: the 0 of a null pointer or of an
// event, or the flags of a sampler. Clang puts the initialiser of a sampler at file scope wherever
// that sampler is given to a function, too.
bool is_constant_operand(const clang::Expr& operand);

// Variables of `function` such as `const int n = 16;` whose values sizes of arrays, labels of
// cases, enumerators, static assertions or attributes need.
std::set<const clang::VarDecl*> constant_variables(const clang::FunctionDecl& function);

} // namespace gputest::passes::mutation
