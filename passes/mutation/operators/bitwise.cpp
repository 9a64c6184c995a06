// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bitwise_replacement: & | ^ by each other, << by >> and back (CLTestCheck, FASE 2019, Table 2).
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

namespace gputest::passes::mutation {

void propose_bitwise(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(&place.node);
  if (!node || node->isAssignmentOp() || arithmetic_name(node->getType()).empty())
    return;
  if (node->isShiftOp())
    out.swap_operator("bitwise_replacement", place,
                      node->getOpcode() == clang::BO_Shl ? clang::BO_Shr : clang::BO_Shl);
  if (node->isBitwiseOp())
    for (const clang::BinaryOperatorKind other : {clang::BO_And, clang::BO_Or, clang::BO_Xor})
      if (other != node->getOpcode())
        out.swap_operator("bitwise_replacement", place, other);
}

} // namespace gputest::passes::mutation
