// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// assignment_replacement: each of = += -= *= /= %= <<= >>= &= |= ^= by each other that the types
// allow (CLTestCheck, FASE 2019, Table 2). Those of integers that never make a difference are left
// out, such as x *= 0 for x = 0.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::passes::mutation {

namespace {

using Kind = clang::BinaryOperatorKind;

// The type in which an assignment of integers computes.
struct Computed {
  unsigned bits = 32;      // of the computation
  bool is_signed = true;   // of the computation
  unsigned kept = 32;      // bits of the variable
  bool kept_signed = true; // of the variable
};

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t extended(std::uint64_t value, unsigned bits) {
  const std::uint64_t low = low_bits(value, bits);
  const bool is_negative = bits < 64 && ((low >> (bits - 1)) & 1) != 0;
  return static_cast<std::int64_t>(is_negative ? low | ~low_bits(~std::uint64_t{0}, bits) : low);
}

// Returns the variable's bits after the assignment; nullopt: a division by 0.
std::optional<std::uint64_t> assigned(Kind kind, std::uint64_t variable, std::uint64_t operand,
                                      const Computed& type) {
  const auto widened = [&](std::uint64_t value) {
    return low_bits(type.kept_signed ? static_cast<std::uint64_t>(extended(value, type.kept))
                                     : low_bits(value, type.kept),
                    type.bits);
  };
  const std::uint64_t x = widened(variable), y = low_bits(operand, type.bits);
  const std::int64_t left = extended(x, type.bits), right = extended(y, type.bits);
  const std::uint64_t shift = y % type.bits;
  const bool divides = kind == clang::BO_DivAssign || kind == clang::BO_RemAssign;
  if (divides && y == 0)
    return std::nullopt;
  std::uint64_t result = 0;
  switch (kind) {
  case clang::BO_AddAssign:
    result = x + y;
    break;
  case clang::BO_SubAssign:
    result = x - y;
    break;
  case clang::BO_MulAssign:
    result = x * y;
    break;
  case clang::BO_DivAssign: // by -1: the smallest number stays what it is
    result = !type.is_signed ? x / y
             : right == -1   ? 0 - x
                             : static_cast<std::uint64_t>(left / right);
    break;
  case clang::BO_RemAssign:
    result = !type.is_signed ? x % y : right == -1 ? 0 : static_cast<std::uint64_t>(left % right);
    break;
  case clang::BO_ShlAssign:
    result = x << shift;
    break;
  case clang::BO_ShrAssign:
    result = type.is_signed ? static_cast<std::uint64_t>(left >> shift) : x >> shift;
    break;
  case clang::BO_AndAssign:
    result = x & y;
    break;
  case clang::BO_OrAssign:
    result = x | y;
    break;
  case clang::BO_XorAssign:
    result = x ^ y;
    break;
  default: // =
    result = y;
    break;
  }
  return low_bits(result, type.kept);
}

// Returns values that tell any two of these operators apart where some value does: those around 0,
// the powers of 2, the limits, the operand, and some that have no pattern.
std::vector<std::uint64_t> telling_values(std::uint64_t operand) {
  std::vector<std::uint64_t> values;
  const auto around = [&](std::uint64_t value) {
    for (const std::uint64_t near : {value - 1, value, value + 1, ~value, 0 - value})
      values.push_back(near);
  };
  around(operand);
  for (unsigned bit = 0; bit < 64; ++bit)
    around(std::uint64_t{1} << bit);
  std::uint64_t mixed = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 32; ++i, mixed = mixed * 6364136223846793005U + 1442695040888963407U)
    values.push_back(mixed);
  return values;
}

std::optional<Computed> computed_type(const clang::ASTContext& context,
                                      const clang::BinaryOperator& node) {
  const auto element = [&](const clang::Expr& operand) {
    const clang::QualType type = operand.getType().getCanonicalType().getUnqualifiedType();
    const auto* const vector = type->getAs<clang::VectorType>();
    return vector ? vector->getElementType() : type;
  };
  const bool is_vector = node.getLHS()->getType()->isVectorType();
  const clang::QualType left = element(*node.getLHS()),
                        right = element(*node.getRHS()->IgnoreParenImpCasts());
  if (!left->isIntegerType() || !right->isIntegerType() || left->isBooleanType() ||
      left->isEnumeralType())
    return std::nullopt;
  Computed type{.kept = static_cast<unsigned>(context.getTypeSize(left)),
                .kept_signed = left->isSignedIntegerType()};
  const auto right_bits = static_cast<unsigned>(context.getTypeSize(right));
  if (type.kept > 64 || right_bits > 64)
    return std::nullopt;
  type.bits = is_vector ? type.kept : std::max({type.kept, right_bits, 32U});
  type.is_signed = is_vector ? type.kept_signed
                             : (type.kept_signed || type.kept < type.bits) &&
                                   (right->isSignedIntegerType() || right_bits < type.bits);
  return type;
}

const clang::ValueDecl* variable_of(const clang::Expr& expression) {
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  return name ? name->getDecl() : nullptr;
}

// Returns whether the assignment `other` gives the variable the same value as `node`, whatever it
// has before.
bool never_differs(const clang::ASTContext& context, const clang::BinaryOperator& node,
                   Kind other) {
  const std::optional<Computed> type = computed_type(context, node);
  const clang::Expr& right = *node.getRHS();
  if (!type || right.isValueDependent() || right.isTypeDependent())
    return false;
  const clang::ValueDecl* const variable = variable_of(*node.getLHS());
  const bool is_itself = variable && variable == variable_of(right);
  clang::Expr::EvalResult constant;
  const clang::Expr& written = *right.IgnoreParenImpCasts();
  if (!is_itself && !written.EvaluateAsInt(constant, context))
    return false;
  const std::uint64_t operand =
      is_itself ? 0 : static_cast<std::uint64_t>(constant.Val.getInt().getExtValue());
  return std::ranges::all_of(telling_values(operand), [&](std::uint64_t value) {
    const std::uint64_t with = !is_itself ? operand
                               : type->kept_signed
                                   ? static_cast<std::uint64_t>(extended(value, type->kept))
                                   : low_bits(value, type->kept);
    return assigned(node.getOpcode(), value, with, *type) == assigned(other, value, with, *type);
  });
}

} // namespace

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
    if (other != node->getOpcode() && (any_number || integers) &&
        !never_differs(out.context(), *node, other))
      out.swap_token("assignment_replacement", *node, node->getOperatorLoc(),
                     clang::BinaryOperator::getOpcodeStr(other).str());
  }
}

} // namespace gputest::passes::mutation
