// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the functions of a CUDA file that have device code.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::frontend {

class Tree;

// Returns the functions with device code and a body outside of system headers, in order: kernels,
// __device__ and __host__ __device__ functions, methods, and lambdas in device code. A template
// counts once, as written; its instances do not. Functions that the compiler adds and those called
// gputest_… are left out.
std::vector<const clang::FunctionDecl*> device_functions(clang::ASTContext& context);

// Whether the author wants the compiler to evaluate a function. A lambda is constexpr without being
// declared so; it counts only if the word is in its declaration or in that of its variable, or if
// it is in a static_assert.
bool is_declared_constexpr(const clang::FunctionDecl& function);

// Returns the instances of a template, or the function itself if it is no template.
std::vector<const clang::FunctionDecl*> instantiations(clang::ASTContext& context,
                                                       const clang::FunctionDecl& written);

// Returns the instances of templates that may run on the device, by the place of the template's
// body. A __host__ __device__ function counts only if device code may call it.
std::map<clang::SourceLocation, std::vector<const clang::FunctionDecl*>>
device_instantiations(clang::ASTContext& context);

// Returns the kernel and the functions that it may call, at any depth: whatever the code names or
// constructs. A template's instances count as the template. The order means nothing.
std::set<const clang::FunctionDecl*> called_by(const clang::FunctionDecl& kernel);

// Returns those of `functions` (device_functions()) that a kernel may reach, or that the value of a
// __device__ or __constant__ variable names; all of them if there is no kernel. `of_program`: also
// those that other files may call, and what they call.
std::set<const clang::FunctionDecl*>
reached_on_device(clang::ASTContext& context,
                  const std::vector<const clang::FunctionDecl*>& functions, bool of_program);

// Returns the names (name_of_function()) of those that the author wrote, in alphabetical order.
std::vector<std::string> names_called_by(const clang::FunctionDecl& kernel);

// A row of the table of kernels. For a program, kernels have the names of their functions, and
// `functions` is empty. For a single file, they have the names that users give (named_kernel.h),
// and `functions` holds what they call.
struct ListedKernel {
  std::string name;
  std::vector<std::string> functions;
};
std::vector<ListedKernel> listed_kernels(const Tree& tree, bool of_program);

} // namespace gputest::frontend
