// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/cuda_lasting.h"

#include "frontend/parse.h"
#include "frontend/walk.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <fmt/format.h>

namespace gputest::passes::mutation {
namespace {

bool is_allocation(const clang::Stmt& node) {
  if (const auto* const made = llvm::dyn_cast<clang::CXXNewExpr>(&node))
    return made->getNumPlacementArgs() == 0;
  const auto* const call = llvm::dyn_cast<clang::CallExpr>(&node);
  const clang::FunctionDecl* const called = call ? call->getDirectCallee() : nullptr;
  return called && called->getIdentifier() && called->getName() == "malloc";
}

// A static variable of a function, which is neither shared nor constant.
const clang::VarDecl* lasting_variable(const clang::Stmt& node) {
  if (const auto* const declaration = llvm::dyn_cast<clang::DeclStmt>(&node))
    for (const clang::Decl* const one : declaration->decls())
      if (const auto* const variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->isStaticLocal() && !variable->hasAttr<clang::CUDASharedAttr>() &&
          !variable->getType().isConstQualified())
        return variable;
  return nullptr;
}

} // namespace

std::string lasting_state(const frontend::Tree& tree) {
  std::string found;
  for (const clang::FunctionDecl* const function : tree.functions())
    if (function->getBody() && found.empty())
      frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
        if (const clang::VarDecl* const variable = lasting_variable(node); variable)
          found = fmt::format("the static variable '{}' in {}()", variable->getNameAsString(),
                              frontend::name_of_function(*function));
        else if (is_allocation(node))
          found = fmt::format("memory that {}() allocates", frontend::name_of_function(*function));
        return found.empty();
      });
  return found;
}

} // namespace gputest::passes::mutation
