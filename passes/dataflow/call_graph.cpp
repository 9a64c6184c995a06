// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/call_graph.h"

#include "frontend/cuda/device_functions.h"
#include "frontend/walk.h"
#include "passes/blocks.h"

#include <clang/AST/Expr.h>

namespace gputest::passes {

namespace {

// Collects what code names.
class Named {
public:
  explicit Named(const clang::FunctionDecl& kernel) {
    reach(kernel);
    run();
  }
  explicit Named(const clang::Stmt& code) : work_{&code} { run(); }

  std::set<const clang::FunctionDecl*> functions; // canonical declarations

private:
  void run() {
    while (!work_.empty()) {
      const clang::Stmt* const code = work_.back();
      work_.pop_back();
      look_at(*code);
    }
  }

  void reach(const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    if (function.hasBody(definition) && functions.insert(function.getCanonicalDecl()).second)
      work_.push_back(definition->getBody());
  }

  void look_at(const clang::Stmt& code) {
    frontend::walk(code, [&](const clang::Stmt& node) {
      if (const auto* block = llvm::dyn_cast<clang::BlockExpr>(&node))
        work_.push_back(block->getBody());
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node);
      if (!reference)
        return true;
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
        reach(*function);
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      const clang::Expr* const value =
          variable && variable->hasGlobalStorage() ? variable->getAnyInitializer() : nullptr;
      if (value && variables_.insert(variable->getCanonicalDecl()).second)
        work_.push_back(value);
      return true;
    });
  }

  std::vector<const clang::Stmt*> work_;
  std::set<const clang::VarDecl*> variables_;
};

} // namespace

std::vector<const clang::FunctionDecl*> reachable_from(const frontend::Tree& tree,
                                                       const clang::FunctionDecl& kernel) {
  const Named reached(kernel);
  std::vector<const clang::FunctionDecl*> result;
  if (frontend::is_wrapper(kernel))
    result.push_back(&kernel);
  for (const clang::FunctionDecl* function : tree.functions())
    if (reached.functions.contains(function->getCanonicalDecl()))
      result.push_back(function);
  return result;
}

std::set<const clang::FunctionDecl*> reached_functions(const frontend::Tree& tree,
                                                       bool of_program) {
  std::set<const clang::FunctionDecl*> reached;
  if (model::row_of(tree.language()).is_cpp)
    return frontend::reached_on_device(tree.context(), tree.functions(), of_program);
  for (const clang::FunctionDecl* kernel : tree.kernels())
    for (const clang::FunctionDecl* function : reachable_from(tree, *kernel))
      reached.insert(function);
  if (tree.kernels().empty())
    reached.insert(tree.functions().begin(), tree.functions().end());
  return reached;
}

OfNoKernel of_no_kernel(const frontend::Tree& tree) {
  constexpr const char* kReason = "no kernel's state is in reach there";
  OfNoKernel result;
  const auto name = [&](clang::SourceRange range, const std::string& function,
                        const char* construct) {
    result.entries.push_back(tree.unhandled(range, function, construct, kReason));
  };
  for (const clang::Decl* declaration : tree.context().getTranslationUnitDecl()->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const clang::Expr* const value = variable ? variable->getInit() : nullptr;
    if (!value || blocks_in(*value).empty())
      continue;
    for (const clang::BlockExpr* block : blocks_in(*value))
      name(block->getSourceRange(), "", "block at program scope"); // file scope
    result.functions.merge(Named(*value).functions);
  }
  for (const clang::FunctionDecl* function : tree.functions())
    if (result.functions.contains(function->getCanonicalDecl()))
      name(function->getSourceRange(), function->getNameAsString(),
           "function that a block at program scope calls");
  return result;
}

} // namespace gputest::passes
