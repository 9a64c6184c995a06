// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The syntax tree of a FlatSource.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/source_options.h"
#include "model/language.h"

#include <clang/AST/ASTContext.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <functional>
#include <string>
#include <vector>

namespace gputest::frontend {

using model::Language;

// A kernel, and the name that users give it.
struct NamedKernel {
  const clang::FunctionDecl* function = nullptr;
  std::string name;
};

// A parsed FlatSource. Every node has one place in the flat text.
class Tree {
public:
  Tree(clang::ASTContext& context, const FlatSource& source);
  // A tree of C++, with the functions that have device code. CUDA: cuda/unit.h.
  Tree(clang::ASTContext& context, const FlatSource& source, Language language,
       std::vector<const clang::FunctionDecl*> device_functions,
       std::vector<NamedKernel> named_kernels);

  Language language() const { return language_; }

  clang::ASTContext& context() const { return context_; }
  const FlatSource& source() const { return source_; }

  // Offsets in the flat text: the first character of a node, and one past its last character. A
  // node that comes from one of OpenCL C's own macros (INFINITY) has the place of the macro.
  unsigned begin(clang::SourceRange range) const;
  unsigned end(clang::SourceRange range) const;
  unsigned offset(clang::SourceLocation location) const;
  // The offset past the `;` that ends a statement, or past the statement if it needs none.
  unsigned end_of_statement(const clang::Stmt& statement) const;

  Excerpt excerpt(clang::SourceRange range) const {
    return source_.excerpt(begin(range), end(range));
  }

  // The report's entry for a construct that a pass leaves as it is.
  model::NotInstrumented unhandled(clang::SourceRange range, std::string function,
                                   std::string construct, std::string reason) const;

  // Functions with a body, in order, without those that GpuTestCheck adds itself (gputest_…).
  const std::vector<const clang::FunctionDecl*>& functions() const { return functions_; }
  std::vector<const clang::FunctionDecl*> kernels() const;
  // The kernels that can be launched: those of CUDA by their instances (cuda/named_kernel.h).
  std::vector<NamedKernel> named_kernels() const;
  // The innermost function of functions() that has this place of the flat text; null outside of
  // all.
  const clang::FunctionDecl* function_at(unsigned offset) const;

private:
  unsigned closed(unsigned from, unsigned to) const;

  clang::ASTContext& context_;
  const FlatSource& source_;
  Language language_ = Language::OpenCL;
  std::vector<const clang::FunctionDecl*> functions_;
  std::vector<NamedKernel> named_kernels_;           // CUDA only
  std::vector<const clang::FunctionDecl*> wrappers_; // C++ only
};

bool is_kernel(const clang::FunctionDecl& function);

// The function's name in reports. C++: with its classes and namespaces, and "f::lambda" for a
// lambda in f.
std::string name_of_function(const clang::FunctionDecl& function);

// Whether this is the wrapper kernel around a device function under test. GpuTestCheck adds it, and
// nothing is recorded for it.
bool is_wrapper(const clang::FunctionDecl& function);

// Parses the source and calls `use` while the tree exists. Fails with compiler-style messages that
// name places in the author's files, or with what `use` returns.
llvm::Error parse(const FlatSource& source, const SourceOptions& options,
                  const std::function<llvm::Error(const Tree&)>& use);

// The same with the compiler's arguments and file system as parameters; each language builds its
// Tree in `use`. `use` runs while the compiler's tree exists.
llvm::Error parse_with(const FlatSource& source, const std::vector<std::string>& arguments,
                       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                       const std::function<llvm::Error(clang::ASTContext&)>& use);

} // namespace gputest::frontend
