// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/value_before.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

namespace gputest::passes::mutation {
namespace {

// A place in memory: where the way to it begins, and whether it leads through a pointer.
struct Root {
  const clang::VarDecl* variable = nullptr;
  bool is_pointed_to = false;
};

Root root_of(const clang::Expr& target) {
  Root root;
  const clang::Expr* at = target.IgnoreParenImpCasts();
  for (;;) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      at = element->getBase()->IgnoreParenImpCasts();
      root.is_pointed_to |= at->getType()->isPointerType();
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      at = member->getBase()->IgnoreParenImpCasts();
      root.is_pointed_to |= member->isArrow();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at);
               unary && unary->getOpcode() == clang::UO_Deref) {
      at = unary->getSubExpr()->IgnoreParenImpCasts();
      root.is_pointed_to = true;
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(at);
               sum && sum->isAdditiveOp() && sum->getType()->isPointerType()) {
      const bool is_left = sum->getLHS()->getType()->isPointerType();
      at = (is_left ? sum->getLHS() : sum->getRHS())->IgnoreParenImpCasts();
    } else {
      break;
    }
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(at))
    root.variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  root.is_pointed_to |= root.variable && root.variable->getType()->isReferenceType();
  return root;
}

bool is_kernels_parameter(const clang::VarDecl& variable) {
  const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  return llvm::isa<clang::ParmVarDecl>(variable) && function &&
         function->hasAttr<clang::CUDAGlobalAttr>();
}

} // namespace

ValueBefore value_before(const clang::Expr& target, bool is_cpp) {
  const clang::LangAS space = target.getType().getAddressSpace();
  if (space == clang::LangAS::opencl_global || space == clang::LangAS::opencl_local)
    return ValueBefore::Known;
  const Root root = root_of(target);
  if (root.variable && !root.is_pointed_to) {
    if (!root.variable->hasLocalStorage() || root.variable->hasAttr<clang::CUDASharedAttr>())
      return is_cpp ? ValueBefore::Known : ValueBefore::None;
    // A jump into a block may leave the initialiser out.
    return llvm::isa<clang::ParmVarDecl>(root.variable) ? ValueBefore::Known
           : root.variable->hasInit()                   ? ValueBefore::Likely
                                                        : ValueBefore::None;
  }
  if (!is_cpp)
    return ValueBefore::None; // memory of the work-item
  return root.variable && is_kernels_parameter(*root.variable) ? ValueBefore::Known
                                                               : ValueBefore::Likely;
}

} // namespace gputest::passes::mutation
