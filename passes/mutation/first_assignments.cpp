#include "passes/mutation/first_assignments.h"

#include <clang/AST/RecursiveASTVisitor.h>

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

class AssignmentFinder : public clang::RecursiveASTVisitor<AssignmentFinder> {
public:
  bool VisitBinaryOperator(clang::BinaryOperator* node) {
    if (node->getOpcode() != clang::BO_Assign)
      return true;
    const clang::VarDecl* variable = variable_of(*node->getLHS());
    found = variable && has_no_value_before(*variable, *node->getLHS());
    return !found; // false: look no further
  }

  bool found = false;
};

} // namespace

bool weakens_assignment(const Proposal& proposal) {
  const bool is_left_out = proposal.manner == Manner::Deletion ||
                           proposal.manner == Manner::LoopSkip ||
                           proposal.manner == Manner::LoopLess;
  if (!proposal.node || !(is_left_out || proposal.operator_name == "assignment_replacement"))
    return false;
  AssignmentFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt*>(proposal.node));
  return finder.found;
}

} // namespace gputest::passes::mutation
