// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// unary_deletion: -a, ~a and !a by a (CLTestCheck, FASE 2019, Table 2).
// increment_replacement: ++ by -- and back (CLTestCheck, Table 2; MutGPU, ICST 2020, Table I).
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

namespace gputest::passes::mutation {

void propose_unary(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::UnaryOperator>(&place.node);
  if (!node)
    return;
  const clang::QualType type = node->getSubExpr()->getType();
  const bool promoted = !out.context().hasSameUnqualifiedType(
      type, node->getSubExpr()->IgnoreParenImpCasts()->getType());
  switch (node->getOpcode()) {
  case clang::UO_Minus:
  case clang::UO_Not:
    if (arithmetic_name(type).empty())
      return;
    // -c of a char is an int: so is +c, but not c.
    out.swap_token("unary_deletion", *node, node->getOperatorLoc(), promoted ? "+" : "");
    return;
  case clang::UO_LNot: // twice: the type of the result stays
    out.swap_token("unary_deletion", *node, node->getOperatorLoc(), "!!");
    return;
  default:
    break;
  }
  if (!node->isIncrementDecrementOp())
    return;
  if (arithmetic_name(type).empty())
    out.not_mutated("increment_replacement", *node, "a pointer's steps are not mutated");
  else
    out.swap_token("increment_replacement", *node, node->getOperatorLoc(),
                   node->isIncrementOp() ? "--" : "++");
}

} // namespace gputest::passes::mutation
