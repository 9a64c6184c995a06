// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/distance.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gputest::testgen {
namespace {

// Floating-point numbers in their order, as integers: neighbours differ by 1.
double ordered(std::uint64_t bits, unsigned width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<double>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

bool is_nan(std::uint64_t bits, unsigned width) {
  return width == 32 ? std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                     : std::isnan(std::bit_cast<double>(bits));
}

// To (0, 1), for differences of any size.
double scaled(double difference) {
  const double logarithm = std::log2(1 + std::fabs(difference));
  return logarithm / (logarithm + 1);
}

} // namespace

Distance::Distance(const Table& table, const std::vector<Label>& conditions,
                   const Functions* functions)
    : table_(table), conditions_(conditions), tape_(table, conditions, functions) {}

double Distance::of(const std::vector<std::uint64_t>& values) {
  const std::span<const std::uint64_t> held = tape_.run(values);
  double sum = 0;
  for (std::size_t i = 0; i < conditions_.size(); ++i)
    if (!held[i])
      sum += distance(conditions_[i], true);
  return sum;
}

// The distance of a condition that is not `wanted` now.
double Distance::distance(Label condition, bool wanted) const {
  const Node& node = table_[condition];
  const auto part = [&](Label label) {
    return (tape_.value(label) != 0) == wanted ? 0 : distance(label, wanted);
  };
  switch (node.op) {
  case Op::Xor:
    if (table_[node.b].op == Op::Constant)
      return distance(node.a, wanted != (table_[node.b].number != 0));
    return 1;
  case Op::And:
    return wanted ? (part(node.a) + part(node.b)) / 2 : std::min(part(node.a), part(node.b));
  case Op::Or:
    return wanted ? std::min(part(node.a), part(node.b)) : (part(node.a) + part(node.b)) / 2;
  case Op::Select:
    return part(tape_.value(node.a) ? node.b : node.c);
  case Op::Equal:
  case Op::ULess:
  case Op::ULessEqual:
  case Op::SLess:
  case Op::SLessEqual:
  case Op::FEqual:
  case Op::FLess:
  case Op::FLessEqual:
  case Op::FUnordered:
    return comparison(node, wanted);
  default:
    return 1;
  }
}

double Distance::comparison(const Node& node, bool wanted) const {
  const std::uint64_t a = tape_.value(node.a), b = tape_.value(node.b);
  const unsigned width = table_[node.a].bits;
  switch (node.op) {
  case Op::Equal: {
    if (!wanted)
      return 0.5;
    // Nearness of numbers or of bits, whichever is less far.
    const std::uint64_t apart = cut(a - b, width);
    const double numbers = std::fabs(static_cast<double>(sign_extended(apart, width)));
    return scaled(std::min(numbers, 16.0 * std::popcount(a ^ b) * std::popcount(a ^ b)));
  }
  case Op::ULess:
  case Op::ULessEqual:
    return scaled(static_cast<double>(a) - static_cast<double>(b) + (wanted ? 1 : -1));
  case Op::SLess:
  case Op::SLessEqual:
    return scaled(static_cast<double>(sign_extended(a, width)) -
                  static_cast<double>(sign_extended(b, width)) + (wanted ? 1 : -1));
  case Op::FUnordered:
    return 1;
  default:
    if (is_nan(a, width) || is_nan(b, width))
      return 1; // never 0: it does not hold
    if (node.op == Op::FEqual && !wanted)
      return 0.5;
    return scaled(std::fabs(ordered(a, width) - ordered(b, width)) + 1);
  }
}

} // namespace gputest::testgen
