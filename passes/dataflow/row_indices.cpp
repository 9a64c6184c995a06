// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/row_indices.h"

#include "frontend/walk.h"
#include "passes/dataflow/variables.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <set>

namespace gputest::passes {
namespace {

// The initial value of a variable that never changes, else the expression itself.
const clang::Expr& value_of(const clang::Expr& expression, const Variables& written) {
  const clang::Expr* node = expression.IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(node);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (variable && variable->isLocalVarDecl() && variable->getInit() && !written.contains(variable))
    return value_of(*variable->getInit(), written);
  return *node;
}

std::optional<unsigned> dimension_of(const clang::Expr& expression, const Variables& written,
                                     const clang::ASTContext& context) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&value_of(expression, written));
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  clang::Expr::EvalResult value;
  if (!callee || callee->getNameAsString() != "get_global_id" || call->getNumArgs() != 1 ||
      !call->getArg(0)->EvaluateAsInt(value, context) || value.Val.getInt().getZExtValue() > 2)
    return std::nullopt;
  return static_cast<unsigned>(value.Val.getInt().getZExtValue());
}

const clang::ParmVarDecl* scalar_argument(const clang::Expr& expression, const Variables& written) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&value_of(expression, written));
  const auto* argument =
      reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
  return argument && argument->getType()->isIntegerType() && !written.contains(argument) ? argument
                                                                                         : nullptr;
}

} // namespace

std::vector<model::RowIndex> row_indices(const frontend::Tree& tree) {
  std::vector<model::RowIndex> rows;
  for (const clang::FunctionDecl* kernel : tree.kernels()) {
    Variables written =
        assigned_in(*kernel->getBody()); // variables that get more than their initial value
    written.merge(addressed_in(*kernel->getBody()));
    std::set<std::pair<unsigned, unsigned>> seen;
    const auto look = [&](const clang::Expr& product, const clang::Expr& id,
                          const clang::Expr& index) {
      const auto* times = llvm::dyn_cast<clang::BinaryOperator>(&value_of(product, written));
      const auto dimension = dimension_of(id, written, tree.context());
      if (!times || times->getOpcode() != clang::BO_Mul || !dimension)
        return;
      for (const clang::Expr* factor : {times->getLHS(), times->getRHS()})
        if (const clang::ParmVarDecl* argument = scalar_argument(*factor, written);
            argument && seen.emplace(argument->getFunctionScopeIndex(), *dimension).second) {
          const frontend::Excerpt place = tree.excerpt(index.getSourceRange());
          rows.push_back({.kernel = kernel->getNameAsString(),
                          .argument = argument->getFunctionScopeIndex(),
                          .dimension = *dimension,
                          .file = place.file,
                          .line = place.line,
                          .column = place.column,
                          .text = place.text});
        }
    };
    frontend::walk(*kernel->getBody(), [&](const clang::Stmt& node) {
      const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&node);
      if (!element)
        return true;
      const auto* sum =
          llvm::dyn_cast<clang::BinaryOperator>(&value_of(*element->getIdx(), written));
      if (sum && sum->getOpcode() == clang::BO_Add) {
        look(*sum->getLHS(), *sum->getRHS(), *element->getIdx());
        look(*sum->getRHS(), *sum->getLHS(), *element->getIdx());
      }
      return true;
    });
  }
  return rows;
}

} // namespace gputest::passes
