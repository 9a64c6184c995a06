// assignment_replacement: each of = += -= *= /= %= <<= >>= &= |= ^= by each other that the types
// allow (CLTestCheck, FASE 2019, Table 2).
#include "passes/mutation/nodes.h"
#include "passes/mutation/operators/operators.h"

#include <array>

namespace gputest::passes::mutation {

void propose_assignment(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(&place.node);
  if (!node || !node->isAssignmentOp())
    return;
  const clang::QualType left = node->getLHS()->getType(), right = node->getRHS()->getType();
  if (arithmetic_name(left).empty() || arithmetic_name(right).empty()) {
    out.not_mutated("assignment_replacement", *node,
                    "only numbers and vectors have other assignments");
    return;
  }
  const bool integers = is_integer(left) && is_integer(right.getCanonicalType()) &&
                        is_integer(node->getRHS()->IgnoreParenImpCasts()->getType());
  static constexpr std::array kAll{clang::BO_Assign,    clang::BO_AddAssign, clang::BO_SubAssign,
                                   clang::BO_MulAssign, clang::BO_DivAssign, clang::BO_RemAssign,
                                   clang::BO_ShlAssign, clang::BO_ShrAssign, clang::BO_AndAssign,
                                   clang::BO_OrAssign,  clang::BO_XorAssign};
  for (const clang::BinaryOperatorKind other : kAll) {
    const bool any_number = other == clang::BO_Assign || other == clang::BO_AddAssign ||
                            other == clang::BO_SubAssign || other == clang::BO_MulAssign ||
                            other == clang::BO_DivAssign;
    if (other != node->getOpcode() && (any_number || integers))
      out.swap_token("assignment_replacement", *node, node->getOperatorLoc(),
                     clang::BinaryOperator::getOpcodeStr(other).str());
  }
}

} // namespace gputest::passes::mutation
