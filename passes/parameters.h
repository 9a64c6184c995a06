// Changing what functions take.
#pragma once

#include "frontend/edits.h"
#include "frontend/parse.h"

namespace gputest::passes {

// Adds `parameter` at the end of the list of this declaration of `function`.
void add_parameter(const Tree& tree, const clang::FunctionDecl& function,
                   const std::string& parameter, Edits& edits);

} // namespace gputest::passes
