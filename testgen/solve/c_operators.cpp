// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/c_operators.h"

#include <algorithm>
#include <iterator>

namespace gputest::testgen {
namespace {

struct Operator {
  Op op;
  Infix infix;
  const char* opposite = nullptr; // the sign of the opposite comparison
};
constexpr Operator kOperators[] = {
    {Op::Add, {"+", kSum}},
    {Op::FAdd, {"+", kSum}},
    {Op::Sub, {"-", kSum}},
    {Op::FSub, {"-", kSum}},
    {Op::Mul, {"*", kProduct}},
    {Op::FMul, {"*", kProduct}},
    {Op::UDiv, {"/", kProduct}},
    {Op::SDiv, {"/", kProduct}},
    {Op::FDiv, {"/", kProduct}},
    {Op::URem, {"%", kProduct}},
    {Op::SRem, {"%", kProduct}},
    {Op::And, {"&", kBitAnd}},
    {Op::Or, {"|", kBitOr}},
    {Op::Xor, {"^", kBitXor}},
    {Op::Shl, {"<<", kShift}},
    {Op::LShr, {">>", kShift}},
    {Op::AShr, {">>", kShift}},
    {Op::Equal, {"==", kEqual}, "!="},
    {Op::FEqual, {"==", kEqual}, "!="},
    {Op::ULess, {"<", kLess}, ">="},
    {Op::SLess, {"<", kLess}, ">="},
    {Op::ULessEqual, {"<=", kLess}, ">"},
    {Op::SLessEqual, {"<=", kLess}, ">"},
    {Op::FLess, {"<", kLess}}, // a NaN is neither less nor not less
    {Op::FLessEqual, {"<=", kLess}},
};
// The same for decisions.
constexpr Operator kLogical[] = {
    {Op::And, {"&&", kAnd}}, {Op::Or, {"||", kOr}}, {Op::Xor, {"!=", kEqual}}};

struct FunctionName {
  Op op;
  const char* name;
};
constexpr FunctionName kFunctions[] = {
    {Op::CountOnes, "popcount"},
    {Op::CountLeading, "clz"},
    {Op::CountTrailing, "ctz"},
    {Op::SwapBytes, "byte_swap"},
    {Op::ReverseBits, "bit_reverse"},
    {Op::FRem, "fmod"},
    {Op::FAbs, "fabs"},
    {Op::FSqrt, "sqrt"},
    {Op::FFloor, "floor"},
    {Op::FCeil, "ceil"},
    {Op::FTrunc, "trunc"},
    {Op::FRint, "rint"},
    {Op::FRound, "round"},
    {Op::FMin, "fmin"},
    {Op::FMax, "fmax"},
    {Op::FMulAdd, "fma"},
    {Op::FUnordered, "isunordered"},
};

template <typename Rows> auto row_of(const Rows& rows, Op op) {
  const auto row = std::ranges::find_if(rows, [&](const auto& one) { return one.op == op; });
  return row == std::end(rows) ? nullptr : &*row;
}

} // namespace

std::optional<Infix> infix_of(const Node& node) {
  if (node.bits == 1)
    if (const Operator* const row = row_of(kLogical, node.op))
      return row->infix;
  const Operator* const row = row_of(kOperators, node.op);
  return row ? std::optional(row->infix) : std::nullopt;
}

const char* function_of(Op op) {
  const FunctionName* const row = row_of(kFunctions, op);
  return row ? row->name : nullptr;
}

const char* opposite_of(Op op) {
  const Operator* const row = row_of(kOperators, op);
  return row ? row->opposite : nullptr;
}

std::string mirrored(const std::string& sign) {
  return sign[0] == '<' ? ">" + sign.substr(1) : sign[0] == '>' ? "<" + sign.substr(1) : sign;
}

} // namespace gputest::testgen
