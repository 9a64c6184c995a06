// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// relational_replacement: each of < > == <= >= != by each other (CLTestCheck, FASE 2019, Table 2).
// conditional_boundary_replacement: with or without equality; negate_conditional_replacement: the
// opposite (MutGPU, ICST 2020, Table I).
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <array>

namespace gputest::passes::mutation {
namespace {

constexpr std::array kRelational{clang::BO_LT, clang::BO_GT, clang::BO_EQ,
                                 clang::BO_LE, clang::BO_GE, clang::BO_NE};

clang::BinaryOperatorKind other_boundary(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_LT:
    return clang::BO_LE;
  case clang::BO_LE:
    return clang::BO_LT;
  case clang::BO_GT:
    return clang::BO_GE;
  case clang::BO_GE:
    return clang::BO_GT;
  default:
    return kind;
  }
}

} // namespace

void propose_relational(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(&place.node);
  if (!node || !node->isComparisonOp() || node->getOpcode() == clang::BO_Cmp)
    return;
  const auto swap = [&](std::string_view name, clang::BinaryOperatorKind kind) {
    out.swap_operator(name, place, kind);
  };
  // Pointers and booleans are compared for equality alone.
  const bool ordered = !arithmetic_name(node->getLHS()->getType()).empty();
  for (const clang::BinaryOperatorKind other : kRelational)
    if (other != node->getOpcode() && (ordered || clang::BinaryOperator::isEqualityOp(other)))
      swap("relational_replacement", other);
  if (!ordered && !node->isEqualityOp())
    return;
  if (const clang::BinaryOperatorKind other = other_boundary(node->getOpcode());
      other != node->getOpcode())
    swap("conditional_boundary_replacement", other);
  swap("negate_conditional_replacement",
       clang::BinaryOperator::negateComparisonOp(node->getOpcode()));
}

} // namespace gputest::passes::mutation
