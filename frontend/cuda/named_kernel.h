// The kernels of a CUDA file by the names that users give them: `saxpy`, `blur::rows`,
// `saxpy<float>` of a template, and of overloads `scale(float*, int)`.
#pragma once

#include "frontend/parse.h"

#include <clang/AST/ASTContext.h>

#include <string>
#include <vector>

namespace gputest::passes {

// Host code that follows the text of a file, and makes what the name means of a template. Empty for
// an empty name.
std::string reference_to(const std::string& kernel);

// The kernel that such code refers to; null: there is no such code.
const clang::FunctionDecl* referenced_kernel(const clang::ASTContext& context);

// Kernels with a body that are no templates, and what is made of those that are, in order. The one
// that host code refers to is called `named`.
std::vector<NamedKernel> named_kernels(clang::ASTContext& context, const std::string& named);

// What the compiler calls it.
std::string mangled_name(const clang::FunctionDecl& kernel);

// "k.cu: error: there is no kernel 'x'; there are:" and a line for each kernel and template.
// `reason`: what the compiler said.
std::string no_such_kernel(clang::ASTContext& context, const std::string& file,
                           const std::string& kernel, const std::string& reason);

} // namespace gputest::passes
