// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes the parameters of functions.
#pragma once

#include "frontend/edits.h"
#include "frontend/parse.h"

namespace gputest::passes {

// The last parameter of every function of a variant: the state buffer for a kernel, the context for
// other functions.
std::string state_parameter(const clang::FunctionDecl& function);

// Adds `parameter` at the end of the list of this declaration of `function`.
void add_parameter(const frontend::Tree& tree, const clang::FunctionDecl& function,
                   const std::string& parameter, frontend::Edits& edits);

// Makes a declaration of a function of tree.functions() that no kernel reaches. Lines keep their
// numbers. Other functions stay as they are.
void leave_out_body(const frontend::Tree& tree, const clang::FunctionDecl& function,
                    frontend::Edits& edits);

} // namespace gputest::passes
