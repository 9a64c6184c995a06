// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/first_assignments.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <initializer_list>

namespace gputest::passes::mutation {
namespace {

// The variable that `target` is or is a part of; null: there is none.
const clang::VarDecl* variable_of(const clang::Expr& target) {
  const clang::Expr* at = target.IgnoreParenImpCasts();
  for (;;) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at))
      at = element->getBase()->IgnoreParenImpCasts();
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at);
             member && !member->isArrow())
      at = member->getBase()->IgnoreParenImpCasts();
    else if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(at))
      at = component->getBase()->IgnoreParenImpCasts();
    else
      break;
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(at);
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

bool has_no_value_before(const clang::VarDecl& variable, const clang::Expr& target) {
  // Elements to which a pointer points are not part of the pointer.
  const bool is_whole = target.getType().getCanonicalType().getUnqualifiedType() ==
                        variable.getType().getCanonicalType().getUnqualifiedType();
  const bool is_pointer = variable.getType()->isPointerType();
  return variable.hasLocalStorage() &&
         variable.getType().getAddressSpace() != clang::LangAS::opencl_local &&
         !llvm::isa<clang::ParmVarDecl>(variable) && !variable.hasInit() &&
         (is_whole || !is_pointer);
}

// Whether the target is in memory that starts anew with each group.
bool is_on_chip(const clang::Expr& target) {
  const clang::VarDecl* const variable = variable_of(target);
  return target.getType().getAddressSpace() == clang::LangAS::opencl_local ||
         (variable && variable->hasAttr<clang::CUDASharedAttr>());
}

bool is_first_assignment(const clang::Expr& target) {
  const clang::VarDecl* const variable = variable_of(target);
  return variable && has_no_value_before(*variable, target);
}

// Finds an assignment to a target.
class AssignmentFinder : public clang::RecursiveASTVisitor<AssignmentFinder> {
public:
  explicit AssignmentFinder(bool (*is_wanted)(const clang::Expr& target)) : is_wanted_(is_wanted) {}

  static bool finds(const clang::Stmt* in, bool (*is_wanted)(const clang::Expr& target)) {
    AssignmentFinder finder(is_wanted);
    finder.TraverseStmt(const_cast<clang::Stmt*>(in));
    return finder.found_;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* node) {
    found_ = node->getOpcode() == clang::BO_Assign && is_wanted_(*node->getLHS());
    return !found_; // false: look no further
  }

private:
  bool (*is_wanted_)(const clang::Expr& target);
  bool found_ = false;
};

// Whether the mutant leaves out or weakens assignments that are in its node.
bool weakens_inside(const Proposal& proposal, bool (*is_wanted)(const clang::Expr& target)) {
  const bool is_left_out = proposal.manner == Manner::Deletion ||
                           proposal.manner == Manner::LoopSkip ||
                           proposal.manner == Manner::LoopLess;
  return proposal.node && (is_left_out || proposal.operator_name == "assignment_replacement") &&
         AssignmentFinder::finds(proposal.node, is_wanted);
}

// Collects a node and all below it.
class NodeCollector : public clang::RecursiveASTVisitor<NodeCollector> {
public:
  explicit NodeCollector(std::set<const clang::Stmt*>& nodes) : nodes_(nodes) {}
  bool VisitStmt(clang::Stmt* node) {
    nodes_.insert(node);
    return true;
  }
  void add(const clang::Stmt* node) { TraverseStmt(const_cast<clang::Stmt*>(node)); }

private:
  std::set<const clang::Stmt*>& nodes_;
};

class DecidingCollector : public clang::RecursiveASTVisitor<DecidingCollector> {
public:
  explicit DecidingCollector(std::set<const clang::Stmt*>& nodes) : nodes_(nodes) {}

  bool VisitIfStmt(clang::IfStmt* node) { return add(*node, {node->getCond()}); }
  bool VisitWhileStmt(clang::WhileStmt* node) { return add(*node, {node->getCond()}); }
  bool VisitDoStmt(clang::DoStmt* node) { return add(*node, {node->getCond()}); }
  bool VisitSwitchStmt(clang::SwitchStmt* node) { return add(*node, {node->getCond()}); }
  bool VisitForStmt(clang::ForStmt* node) {
    return add(*node, {node->getInit(), node->getCond(), node->getInc()});
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) {
    if (node->getOpcode() == clang::BO_Assign && is_on_chip(*node->getLHS()))
      nodes_.add(node->getLHS());
    return true;
  }

private:
  bool add(const clang::Stmt& whole, std::initializer_list<const clang::Stmt*> deciding) {
    if (AssignmentFinder::finds(&whole, is_on_chip))
      for (const clang::Stmt* one : deciding)
        nodes_.add(one);
    return true;
  }

  NodeCollector nodes_;
};

} // namespace

bool weakens_assignment(const Proposal& proposal) {
  return weakens_inside(proposal, is_first_assignment);
}

OnChipWrites::OnChipWrites(const frontend::Tree& tree) {
  DecidingCollector collector(deciding_);
  for (const clang::FunctionDecl* function : tree.functions())
    collector.TraverseStmt(function->getBody());
}

bool OnChipWrites::weakens(const Proposal& proposal) const {
  return weakens_inside(proposal, is_on_chip) || deciding_.contains(proposal.node);
}

} // namespace gputest::passes::mutation
