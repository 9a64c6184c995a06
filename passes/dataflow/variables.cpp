// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/variables.h"

#include "frontend/walk.h"

namespace gputest::passes {
namespace {

void add(const clang::Expr& target, Variables& variables) {
  if (const clang::VarDecl* variable = variable_of(target))
    variables.insert(variable);
}

} // namespace

const clang::VarDecl* variable_of(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

bool is_private(const clang::VarDecl& variable) {
  return (variable.isLocalVarDecl() || llvm::isa<clang::ParmVarDecl>(variable)) &&
         !variable.isStaticLocal() &&
         variable.getType().getAddressSpace() != clang::LangAS::opencl_local;
}

Variables assigned_in(const clang::Stmt& node) {
  Variables variables;
  frontend::walk(node, [&](const clang::Stmt& below) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&below);
        binary && binary->isAssignmentOp())
      add(*binary->getLHS(), variables);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&below);
        unary && unary->isIncrementDecrementOp())
      add(*unary->getSubExpr(), variables);
    return true;
  });
  return variables;
}

Variables addressed_in(const clang::Stmt& node) {
  Variables variables;
  frontend::walk(node, [&](const clang::Stmt& below) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&below);
        unary && unary->getOpcode() == clang::UO_AddrOf)
      add(*unary->getSubExpr(), variables);
    return true;
  });
  return variables;
}

} // namespace gputest::passes
