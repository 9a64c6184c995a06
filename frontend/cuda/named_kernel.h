// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the kernels of a CUDA file by the names that users give them: `saxpy`, `blur::rows`,
// `saxpy<float>` for an instance of a template, `scale(float*, int)` for one of several overloads.
#pragma once

#include "frontend/parse.h"

#include <clang/AST/ASTContext.h>

#include <string>
#include <vector>

namespace gputest::frontend {

// Returns host code to append to a file: it refers to the kernel, so that the compiler instantiates
// a template. Empty if `kernel` is empty.
std::string reference_to(const std::string& kernel);

// Returns the kernel that such code refers to; null if there is none.
const clang::FunctionDecl* referenced_kernel(const clang::ASTContext& context);

// Returns the kernels with a body, in order; a template counts with its instances. The kernel that
// the code of reference_to() refers to has the name `named`.
std::vector<NamedKernel> named_kernels(clang::ASTContext& context, const std::string& named);

// The same for device functions that are no kernels. Device code to append makes an instance of the
// template that `function` names; it is empty if the name has no template arguments.
std::string reference_to_function(const std::string& function);
std::vector<NamedKernel> named_device_functions(clang::ASTContext& context,
                                                const std::string& named);

// Returns the kernel's symbol in device code, such as "_Z5saxpyiPf".
std::string mangled_name(const clang::FunctionDecl& kernel);

// Returns the message "k.cu: error: there is no kernel 'x'; there are:" with a line for each kernel
// and template. `reason` holds the compiler's messages.
std::string no_such_kernel(clang::ASTContext& context, const std::string& file,
                           const std::string& kernel, const std::string& reason);

} // namespace gputest::frontend
