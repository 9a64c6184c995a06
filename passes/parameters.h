// Changes the parameters of functions.
#pragma once

#include "frontend/edits.h"
#include "frontend/parse.h"

namespace gputest::passes {

// The last parameter of every function of a variant: the state buffer for a kernel, the context for
// other functions.
std::string state_parameter(const clang::FunctionDecl& function);

// Adds `parameter` at the end of the list of this declaration of `function`.
void add_parameter(const Tree& tree, const clang::FunctionDecl& function,
                   const std::string& parameter, Edits& edits);

} // namespace gputest::passes
