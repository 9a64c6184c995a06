#include "passes/dataflow/call_graph.h"

#include "frontend/walk.h"

#include <clang/AST/Expr.h>

#include <set>

namespace gputest::passes {

std::vector<const clang::FunctionDecl*> reachable_from(const Tree& tree,
                                                       const clang::FunctionDecl& kernel) {
  std::set<const clang::FunctionDecl*> reached{kernel.getCanonicalDecl()};
  std::vector<const clang::FunctionDecl*> work{kernel.getDefinition()};
  while (!work.empty()) {
    const clang::FunctionDecl* function = work.back();
    work.pop_back();
    walk(*function->getBody(), [&](const clang::Stmt& node) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
      const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      const clang::FunctionDecl* definition = nullptr;
      if (callee && callee->hasBody(definition) &&
          reached.insert(callee->getCanonicalDecl()).second)
        work.push_back(definition);
      return true;
    });
  }
  std::vector<const clang::FunctionDecl*> result;
  if (is_wrapper(kernel))
    result.push_back(&kernel);
  for (const clang::FunctionDecl* function : tree.functions())
    if (reached.contains(function->getCanonicalDecl()))
      result.push_back(function);
  return result;
}

} // namespace gputest::passes
