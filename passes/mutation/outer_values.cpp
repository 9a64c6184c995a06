// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/outer_values.h"

#include "frontend/walk.h"
#include "passes/nodes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <string>

namespace gputest::passes::mutation {
namespace {

bool is_compared_type(clang::QualType type, bool is_cpp) {
  const std::string name = scalar_name(type);
  return (!name.empty() && name != "half") || (is_cpp && type->isBooleanType());
}

// What the tree shows below is not in the source: threadIdx.x, and an argument of a template.
bool is_whole(const clang::Stmt& node) {
  return llvm::isa<clang::PseudoObjectExpr, clang::SubstNonTypeTemplateParmExpr>(node);
}

// A function of numbers in the toolkit's headers. Functions of warps and clocks are no such.
bool is_mathematics(const clang::CallExpr& call) {
  const clang::FunctionDecl* const callee = call.getDirectCallee();
  return callee && callee->getIdentifier() && callee->getReturnType()->isArithmeticType() &&
         callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation()) &&
         !callee->getName().starts_with("__") && !callee->getName().starts_with("atomic") &&
         !callee->getName().starts_with("clock") && callee->getNumParams() > 0 &&
         std::ranges::all_of(callee->parameters(), [](const clang::ParmVarDecl* parameter) {
           return parameter->getType()->isArithmeticType();
         });
}

// has_no_effect() for C++, where functions of the toolkit have bodies.
bool can_be_repeated(const clang::Expr& expression) {
  bool can = true;
  frontend::walk(expression, [&](const clang::Stmt& node) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node))
      can &= !unary->isIncrementDecrementOp();
    else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
      can &= !binary->isAssignmentOp();
    else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
      can &= is_mathematics(*call);
    else
      can &= !llvm::isa<clang::StmtExpr, clang::AtomicExpr, clang::LambdaExpr, clang::InitListExpr,
                        clang::CXXConstructExpr, clang::CXXNewExpr, clang::CXXDefaultArgExpr>(node);
    return can && !is_whole(node);
  });
  return can;
}

bool computes_reals(const clang::Expr& operand) {
  return operand.getType()->isRealFloatingType();
}

// A number that divides every number without a fault.
bool always_divides(const clang::Expr& divisor) {
  const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(divisor.IgnoreParenImpCasts());
  return number && number->getValue() != 0;
}

// What becomes of a change of an operand.
enum class Visible {
  Lost,  // the node's value must not be computed with the change
  Kept,  // it is another value in any case
  Shown, // it may be the same value
};

Visible visible_in(const clang::BinaryOperator& node, const clang::Stmt& operand, bool is_cpp) {
  const bool is_left = &operand == node.getLHS();
  if (node.isAssignmentOp() || node.isCommaOp() ||
      !is_compared_type(node.getLHS()->getType(), is_cpp) ||
      !is_compared_type(node.getRHS()->getType(), is_cpp))
    return Visible::Lost;
  switch (node.getOpcode()) {
  case clang::BO_Add:
  case clang::BO_Sub:
  case clang::BO_Xor:
    return Visible::Kept;
  case clang::BO_Div:
  case clang::BO_Rem:
    return computes_reals(node) || (is_left && always_divides(*node.getRHS())) ? Visible::Shown
                                                                               : Visible::Lost;
  case clang::BO_LAnd:
  case clang::BO_LOr: // the right one may be evaluated where it was not
    return is_left && may_fault(*node.getRHS()) ? Visible::Lost : Visible::Shown;
  default:
    return Visible::Shown;
  }
}

Visible visible_in(const clang::Stmt& node, const clang::Stmt& operand, bool is_cpp) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
    return visible_in(*binary, operand, is_cpp);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node))
    switch (unary->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Minus:
    case clang::UO_Not:
      return Visible::Kept;
    case clang::UO_LNot:
      return Visible::Shown;
    default:
      return Visible::Lost;
    }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&node)) {
    const bool decides = &operand == choice->getCond();
    return decides && (may_fault(*choice->getTrueExpr()) || may_fault(*choice->getFalseExpr()))
               ? Visible::Lost
               : Visible::Shown;
  }
  if (llvm::isa<clang::ParenExpr>(node))
    return Visible::Kept;
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(&node);
  if (!cast ||
      !llvm::isa<clang::ImplicitCastExpr, clang::CStyleCastExpr, clang::CXXFunctionalCastExpr,
                 clang::CXXStaticCastExpr>(cast) ||
      !is_compared_type(cast->getType(), is_cpp) ||
      !is_compared_type(cast->getSubExpr()->getType(), is_cpp))
    return Visible::Lost;
  return cast->getType()->isBooleanType() ? Visible::Shown : Visible::Kept;
}

class OuterFinder {
public:
  OuterFinder(const MutantsOfNodes& mutants, bool is_cpp) : mutants_(mutants), is_cpp_(is_cpp) {}

  // `outer`: the expression in whose value a change of `node` is seen, if there is one. `shown`:
  // this value need not differ.
  void look(const clang::Stmt& node, const clang::Expr* outer, bool shown) {
    if (llvm::isa<clang::LambdaExpr>(node))
      return; // a function of its own
    const auto* const expression = llvm::dyn_cast<clang::Expr>(&node);
    if (expression && !outer && can_be_computed(*expression))
      outer = expression;
    if (expression && outer &&
        (shown || !llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral>(node)))
      add_mutants(*expression, *outer);
    if (is_whole(node))
      return;
    for (const clang::Stmt* child : node.children()) {
      if (!child)
        continue;
      const Visible change = outer ? visible_in(node, *child, is_cpp_) : Visible::Lost;
      if (change == Visible::Lost)
        look(*child, nullptr, false);
      else
        look(*child, outer, shown || change == Visible::Shown);
    }
  }

  MutantsOfNodes found;

private:
  // In C++, an expression may also be a place in memory, which its value is not.
  bool can_be_computed(const clang::Expr& expression) const {
    return !llvm::isa<clang::ImplicitCastExpr, clang::FullExpr>(expression) &&
           is_compared_type(expression.getType(), is_cpp_) && expression.getBeginLoc().isValid() &&
           (is_cpp_ ? expression.isPRValue() && can_be_repeated(expression)
                    : has_no_effect(expression));
  }

  void add_mutants(const clang::Expr& node, const clang::Expr& outer) {
    const auto mutants = mutants_.find(&node);
    if (mutants == mutants_.end() || llvm::isa<clang::BinaryOperator>(node))
      return;
    for (const auto& [mutant, number] : mutants->second)
      if (mutant->manner == Manner::Expression && mutant->declarations.empty())
        found[&outer].emplace_back(mutant, number);
  }

  const MutantsOfNodes& mutants_;
  const bool is_cpp_;
};

} // namespace

bool may_fault(const clang::Expr& expression) {
  bool may = false;
  frontend::walk(expression, [&](const clang::Stmt& node) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
      may |= binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Div ||
             binary->getOpcode() == clang::BO_Rem;
    else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node))
      may |= unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_Deref;
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node))
      may |= member->isArrow();
    else
      may |= llvm::isa<clang::ArraySubscriptExpr, clang::CallExpr, clang::StmtExpr,
                       clang::AtomicExpr, clang::CXXConstructExpr, clang::LambdaExpr>(node);
    return !may && !is_whole(node);
  });
  return may;
}

MutantsOfNodes outer_values(const clang::FunctionDecl& function, const MutantsOfNodes& mutants,
                            bool is_cpp) {
  OuterFinder finder(mutants, is_cpp);
  finder.look(*function.getBody(), nullptr, false);
  return std::move(finder.found);
}

} // namespace gputest::passes::mutation
