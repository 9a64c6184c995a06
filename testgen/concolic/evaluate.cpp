// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gputest::testgen {
namespace {

float single(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double twice(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
std::uint64_t bits_of(float number) {
  return std::bit_cast<std::uint32_t>(number);
}
std::uint64_t bits_of(double number) {
  return std::bit_cast<std::uint64_t>(number);
}

template <typename Number> std::uint64_t floating(Op op, Number a, Number b, Number c) {
  switch (op) {
  case Op::FAdd:
    return bits_of(a + b);
  case Op::FSub:
    return bits_of(a - b);
  case Op::FMul:
    return bits_of(a * b);
  case Op::FDiv:
    return bits_of(a / b);
  case Op::FRem:
    return bits_of(std::fmod(a, b));
  case Op::FSqrt:
    return bits_of(std::sqrt(a));
  case Op::FFloor:
    return bits_of(std::floor(a));
  case Op::FCeil:
    return bits_of(std::ceil(a));
  case Op::FTrunc:
    return bits_of(std::trunc(a));
  case Op::FRint:
    return bits_of(std::nearbyint(a));
  case Op::FRound:
    return bits_of(std::round(a));
  case Op::FMin:
    return bits_of(std::fmin(a, b));
  case Op::FMax:
    return bits_of(std::fmax(a, b));
  case Op::FMulAdd:
    return bits_of(std::fma(a, b, c));
  case Op::FEqual:
    return a == b;
  case Op::FLess:
    return a < b;
  case Op::FLessEqual:
    return a <= b;
  case Op::FUnordered:
    return std::isnan(a) || std::isnan(b);
  default:
    return 0;
  }
}

// As cvttss2si: the lowest number where the result does not fit.
std::uint64_t to_integer(double number, unsigned bits, bool with_sign) {
  const unsigned width = with_sign && bits <= 32 ? 32 : 64;
  const double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
  if (!with_sign && width == 64 && bits == 64 && number >= limit && number < 2 * limit)
    return static_cast<std::uint64_t>(number - limit) + (std::uint64_t{1} << 63);
  if (!(number > -limit - 1 && number < limit))
    return cut(std::uint64_t{1} << (width - 1), bits);
  return cut(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)), bits);
}

std::uint64_t reversed(std::uint64_t number, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (number >> i & 1) << (bits - 1 - i);
  return result;
}

std::uint64_t divided(const Node& node, std::uint64_t a, std::uint64_t b) {
  if (b == 0)
    return 0;
  if (node.op == Op::UDiv)
    return a / b;
  if (node.op == Op::URem)
    return a % b;
  const std::int64_t left = sign_extended(a, node.bits), right = sign_extended(b, node.bits);
  if (right == -1) // the lowest number has no opposite
    return node.op == Op::SDiv ? 0 - a : 0;
  return static_cast<std::uint64_t>(node.op == Op::SDiv ? left / right : left % right);
}

} // namespace

bool takes_floating(Op op) {
  return (op >= Op::FAdd && op <= Op::FToU) || op == Op::FExt || op == Op::FRoundTo;
}

std::uint64_t apply(const Node& node, unsigned from, std::uint64_t a, std::uint64_t b,
                    std::uint64_t c) {
  const unsigned bits = node.bits;
  switch (node.op) {
  case Op::Add:
    return cut(a + b, bits);
  case Op::Sub:
    return cut(a - b, bits);
  case Op::Mul:
    return cut(a * b, bits);
  case Op::UDiv:
  case Op::SDiv:
  case Op::URem:
  case Op::SRem:
    return cut(divided(node, a, b), bits);
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Shl:
    return cut(a << (b % bits), bits);
  case Op::LShr:
    return a >> (b % bits);
  case Op::AShr:
    return cut(static_cast<std::uint64_t>(sign_extended(a, bits) >> (b % bits)), bits);
  case Op::Equal:
    return a == b;
  case Op::ULess:
    return a < b;
  case Op::ULessEqual:
    return a <= b;
  case Op::SLess:
    return sign_extended(a, from) < sign_extended(b, from);
  case Op::SLessEqual:
    return sign_extended(a, from) <= sign_extended(b, from);
  case Op::ZExt:
    return a;
  case Op::SExt:
    return cut(static_cast<std::uint64_t>(sign_extended(a, from)), bits);
  case Op::Trunc:
    return cut(a, bits);
  case Op::Extract:
    return cut(a >> node.number, bits);
  case Op::Concat:
    return a << (bits - from) | b;
  case Op::Select:
    return a ? b : c;
  case Op::CountOnes:
    return static_cast<std::uint64_t>(std::popcount(a));
  case Op::CountLeading:
    return static_cast<std::uint64_t>(std::countl_zero(a)) - (64 - bits);
  case Op::CountTrailing:
    return a ? static_cast<std::uint64_t>(std::countr_zero(a)) : bits;
  case Op::SwapBytes:
    return __builtin_bswap64(a) >> (64 - bits);
  case Op::ReverseBits:
    return reversed(a, bits);
  case Op::FNeg:
    return a ^ (std::uint64_t{1} << (bits - 1));
  case Op::FAbs:
    return a & ~(std::uint64_t{1} << (bits - 1));
  case Op::FToS:
  case Op::FToU:
    return to_integer(from == 32 ? static_cast<double>(single(a)) : twice(a), bits,
                      node.op == Op::FToS);
  case Op::SToF:
    return bits == 32 ? bits_of(static_cast<float>(sign_extended(a, from)))
                      : bits_of(static_cast<double>(sign_extended(a, from)));
  case Op::UToF:
    return bits == 32 ? bits_of(static_cast<float>(a)) : bits_of(static_cast<double>(a));
  case Op::FExt:
    return bits_of(static_cast<double>(single(a)));
  case Op::FRoundTo:
    return bits_of(static_cast<float>(twice(a)));
  default:
    return from == 32 ? floating(node.op, single(a), single(b), single(c))
                      : floating(node.op, twice(a), twice(b), twice(c));
  }
}

Tape::Tape(const Table& table, std::span<const Label> roots, const Functions* functions)
    : parts_(parts_of(table, roots)), functions_(functions) {
  steps_.reserve(parts_.size());
  values_.resize(parts_.size() + 1);
  for (const Label part : parts_) {
    Node node = table[part];
    const unsigned from = table[node.a].bits;
    if (node.a)
      node.a = static_cast<Label>(place_of(node.a));
    if (node.b)
      node.b = static_cast<Label>(place_of(node.b));
    if (node.c)
      node.c = static_cast<Label>(place_of(node.c));
    steps_.push_back({node, from});
  }
  for (const Label root : roots)
    roots_.push_back(place_of(root));
  results_.resize(roots_.size());
}

// Place 0 is that of operands that are not there.
std::size_t Tape::place_of(Label label) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(parts_, label) - parts_.begin()) + 1;
}

std::span<const std::uint64_t> Tape::run(std::span<const std::uint64_t> inputs) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Node& node = steps_[i].node;
    std::uint64_t& value = values_[i + 1];
    const std::uint64_t a = values_[node.a], b = values_[node.b], c = values_[node.c];
    if (node.op == Op::Input) {
      value = cut(inputs[node.number], node.bits);
    } else if (node.op == Op::Constant) {
      value = node.number;
    } else if (node.op == Op::Call) {
      const std::uint64_t arguments[] = {a, b, c};
      functions_->all[node.number].call(arguments, &value);
    } else {
      value = apply(node, steps_[i].from, a, b, c);
    }
  }
  for (std::size_t i = 0; i < roots_.size(); ++i)
    results_[i] = values_[roots_[i]];
  return results_;
}

std::vector<std::size_t> Tape::units() const {
  std::vector<std::size_t> units;
  for (const Step& step : steps_)
    if (step.node.op == Op::Input)
      units.push_back(step.node.number);
  return units;
}

} // namespace gputest::testgen
