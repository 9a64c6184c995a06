// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// logical_replacement: && by || and back (CLTestCheck, FASE 2019, Table 2; MutGPU, ICST 2020, Table
// I).
#include "passes/mutation/operators/operators.h"

namespace gputest::passes::mutation {

void propose_logical(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(&place.node);
  if (node && node->isLogicalOp())
    out.swap_operator("logical_replacement", place,
                      node->getOpcode() == clang::BO_LAnd ? clang::BO_LOr : clang::BO_LAnd);
}

} // namespace gputest::passes::mutation
