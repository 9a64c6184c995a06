// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arithmetic_replacement: each of + - * / % by each other (CLTestCheck, FASE 2019, Table 2).
// math_replacement: one exchange for each operator (MutGPU, ICST 2020, Table I; after PIT's
// mutator).
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <algorithm>
#include <array>

namespace gputest::passes::mutation {
namespace {

constexpr std::array kArithmetic{clang::BO_Add, clang::BO_Sub, clang::BO_Mul, clang::BO_Div,
                                 clang::BO_Rem};

// BO_Comma: none.
clang::BinaryOperatorKind math_exchange(clang::BinaryOperatorKind kind, bool integers) {
  switch (kind) {
  case clang::BO_Add:
    return clang::BO_Sub;
  case clang::BO_Sub:
    return clang::BO_Add;
  case clang::BO_Mul:
    return clang::BO_Div;
  case clang::BO_Div:
  case clang::BO_Rem:
    return clang::BO_Mul;
  case clang::BO_And:
    return clang::BO_Or;
  case clang::BO_Or:
  case clang::BO_Xor:
    return clang::BO_And;
  case clang::BO_Shl:
    return integers ? clang::BO_Shr : clang::BO_Comma;
  case clang::BO_Shr:
    return integers ? clang::BO_Shl : clang::BO_Comma;
  default:
    return clang::BO_Comma;
  }
}

} // namespace

void propose_arithmetic(const Candidate& place, Proposals& out) {
  const auto* node = llvm::dyn_cast<clang::BinaryOperator>(&place.node);
  if (!node || node->isAssignmentOp())
    return;
  const bool is_arithmetic = std::ranges::find(kArithmetic, node->getOpcode()) != kArithmetic.end();
  // The difference of two pointers is a number.
  const bool of_pointer =
      node->getLHS()->getType()->isPointerType() || node->getRHS()->getType()->isPointerType();
  if (arithmetic_name(node->getType()).empty() || of_pointer) {
    if (is_arithmetic && of_pointer)
      out.not_mutated("arithmetic_replacement", *node, "a pointer has no other arithmetic");
    return;
  }
  const auto swap = [&](std::string_view name, clang::BinaryOperatorKind kind) {
    out.swap_operator(name, place, kind);
  };
  if (is_arithmetic)
    for (const clang::BinaryOperatorKind other : kArithmetic)
      if (other != node->getOpcode() && (other != clang::BO_Rem || is_integer(node->getType())))
        swap("arithmetic_replacement", other);
  const clang::BinaryOperatorKind other =
      math_exchange(node->getOpcode(), is_integer(node->getType()));
  if (other != clang::BO_Comma)
    swap("math_replacement", other);
}

} // namespace gputest::passes::mutation
