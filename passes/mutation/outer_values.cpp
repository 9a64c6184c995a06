// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/outer_values.h"

#include "frontend/walk.h"
#include "passes/nodes.h"

#include <clang/AST/ExprCXX.h>

#include <set>
#include <string>

namespace gputest::passes::mutation {
namespace {

bool is_compared_type(clang::QualType type) {
  const std::string name = scalar_name(type);
  return !name.empty() && name != "half";
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

Visible visible_in(const clang::BinaryOperator& node, const clang::Stmt& operand) {
  const bool is_left = &operand == node.getLHS();
  if (node.isAssignmentOp() || node.isCommaOp() || !is_compared_type(node.getLHS()->getType()) ||
      !is_compared_type(node.getRHS()->getType()))
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

Visible visible_in(const clang::Stmt& node, const clang::Stmt& operand) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
    return visible_in(*binary, operand);
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
  return cast && llvm::isa<clang::ImplicitCastExpr, clang::CStyleCastExpr>(cast) &&
                 is_compared_type(cast->getType()) &&
                 is_compared_type(cast->getSubExpr()->getType())
             ? Visible::Kept
             : Visible::Lost;
}

class OuterFinder {
public:
  OuterFinder(const Renderer::Sites& sites, const std::function<bool(unsigned)>& is_wanted)
      : sites_(sites), is_wanted_(is_wanted) {}

  // `outer`: the expression in whose value a change of `node` is seen, if there is one. `shown`:
  // this value need not differ.
  void look(const clang::Stmt& node, const clang::Expr* outer, bool shown) {
    const auto* const expression = llvm::dyn_cast<clang::Expr>(&node);
    if (expression && !outer && can_be_computed(*expression))
      outer = expression;
    if (expression && outer &&
        (shown || !llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral>(node)))
      add_mutants(*expression, *outer);
    for (const clang::Stmt* child : node.children()) {
      if (!child)
        continue;
      const Visible change = outer ? visible_in(node, *child) : Visible::Lost;
      if (change == Visible::Lost)
        look(*child, nullptr, false);
      else
        look(*child, outer, shown || change == Visible::Shown);
    }
  }

  std::map<const clang::Stmt*, NumberedMutants> found;

private:
  static bool can_be_computed(const clang::Expr& expression) {
    return !llvm::isa<clang::ImplicitCastExpr, clang::FullExpr>(expression) &&
           is_compared_type(expression.getType()) && expression.getBeginLoc().isValid() &&
           has_no_effect(expression);
  }

  void add_mutants(const clang::Expr& node, const clang::Expr& outer) {
    const auto site = sites_.find(&node);
    if (site == sites_.end() || llvm::isa<clang::BinaryOperator>(node))
      return;
    for (std::size_t i = 0; i < site->second.mutants.size(); ++i) {
      const Proposal& mutant = *site->second.mutants[i];
      const unsigned number = site->second.first + static_cast<unsigned>(i);
      if (mutant.manner == Manner::Expression && mutant.declarations.empty() && is_wanted_(number))
        found[&outer].emplace_back(&mutant, number);
    }
  }

  const Renderer::Sites& sites_;
  const std::function<bool(unsigned)>& is_wanted_;
};

} // namespace

bool may_fault(const clang::Expr& expression) {
  return frontend::any_of(expression, [](const clang::Stmt& node) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
      return binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Div ||
             binary->getOpcode() == clang::BO_Rem;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node))
      return unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_Deref;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node))
      return member->isArrow();
    return llvm::isa<clang::ArraySubscriptExpr, clang::CallExpr, clang::StmtExpr, clang::AtomicExpr,
                     clang::CXXConstructExpr, clang::LambdaExpr>(node);
  });
}

std::map<const clang::Stmt*, NumberedMutants>
outer_values(const clang::FunctionDecl& function, const Renderer::Sites& sites,
             const std::function<bool(unsigned)>& is_wanted) {
  OuterFinder finder(sites, is_wanted);
  finder.look(*function.getBody(), nullptr, false);
  return std::move(finder.found);
}

} // namespace gputest::passes::mutation
