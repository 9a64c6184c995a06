// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/operators/dimensions.h"

#include "frontend/cuda/device_functions.h"
#include "frontend/walk.h"
#include "passes/dataflow/call_graph.h"
#include "passes/mutation/operators/operators.h"
#include "passes/mutation/operators/proposal.h"
#include "passes/nodes.h"

#include <clang/AST/Expr.h>

#include <algorithm>
#include <set>

namespace gputest::passes::mutation {
namespace {

// The dimensions that the function itself names, without its callees.
unsigned dimensions_named(const frontend::Tree& tree, const clang::FunctionDecl& function) {
  unsigned most = 1;
  frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    clang::Expr::EvalResult dimension;
    if (call && call->getNumArgs() == 1 && builtin_name(*call).starts_with("get_") &&
        !call->getArg(0)->isValueDependent() && call->getArg(0)->getType()->isIntegerType() &&
        call->getArg(0)->EvaluateAsInt(dimension, tree.context()))
      if (const llvm::APSInt& value = dimension.Val.getInt(); value == 1 || value == 2)
        most = std::max(most, static_cast<unsigned>(value.getZExtValue()) + 1);
    return true;
  });
  return most;
}

// With methods and templates, as they are written.
std::set<const clang::FunctionDecl*> reached_by(const frontend::Tree& tree,
                                                const clang::FunctionDecl& kernel) {
  if (model::row_of(tree.language()).is_cpp)
    return frontend::called_by(kernel);
  const auto all = reachable_from(tree, kernel);
  return {all.begin(), all.end()};
}

} // namespace

unsigned dimensions_of(const frontend::Tree& tree, const clang::FunctionDecl& kernel) {
  unsigned most = 1;
  if (tree.language() == model::Language::Cuda) {
    for (const clang::FunctionDecl* function : frontend::called_by(kernel))
      for (const std::string& dimension : cuda_dimensions_in(*function->getBody()))
        most = std::max(most, dimension == "z" ? 3U : dimension == "y" ? 2U : 1U);
    return most;
  }
  for (const clang::FunctionDecl* function : reached_by(tree, kernel))
    most = std::max(most, dimensions_named(tree, *function));
  return most;
}

std::map<const clang::FunctionDecl*, unsigned> dimensions_used(const frontend::Tree& tree) {
  std::map<const clang::FunctionDecl*, unsigned> result;
  for (const clang::FunctionDecl* function : tree.functions())
    result[function] = 1;
  for (const clang::FunctionDecl* kernel : tree.kernels()) {
    const unsigned dimensions = dimensions_of(tree, *kernel);
    for (const clang::FunctionDecl* function : reached_by(tree, *kernel))
      result[function] = std::max(result[function], dimensions);
  }
  return result;
}

} // namespace gputest::passes::mutation
