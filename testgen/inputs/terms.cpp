// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/terms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gputest::testgen {
namespace {

// Numbers up to here are exact as requirements compute them, and here. Their products fit, too, but
// may be rounded there: they are only compared, with a number that is exact.
constexpr double kExact = 4503599627370496; // 2^52

bool is_exact(const Term& term) {
  return -kExact <= term.low && term.high <= kExact;
}

std::optional<Term> compared(Table& table, const std::string& name, const Term& a, const Term& b) {
  if (!is_exact(a) && !is_exact(b))
    return std::nullopt;
  if (name == "==" || name == "!=") {
    const Label same = table.make(Op::Equal, 1, a.label, b.label);
    return truth(table, name == "==" ? same : table.negation(same));
  }
  const bool swapped = name.front() == '>';
  const Op op = name.size() == 2 ? Op::SLessEqual : Op::SLess;
  return truth(table, table.make(op, 1, swapped ? b.label : a.label, swapped ? a.label : b.label));
}

} // namespace

Label is_true(Table& table, const Term& term) {
  return table.negation(table.make(Op::Equal, 1, term.label, table.constant(0, 64)));
}

Term truth(Table& table, Label condition) {
  return {table.make(Op::ZExt, 64, condition), 0, 1};
}

std::optional<Term> number_term(Table& table, double number) {
  if (std::trunc(number) != number || std::abs(number) > kExact)
    return std::nullopt;
  return Term{table.constant(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)), 64),
              number, number};
}

std::optional<Term> operation_term(Table& table, const std::string& name, const Term& a,
                                   const Term& b) {
  const auto make = [&](Op op, double low, double high) -> std::optional<Term> {
    constexpr double kFits = 0x1p62;
    if (!is_exact(a) || !is_exact(b) || low < -kFits || high > kFits)
      return std::nullopt;
    return Term{table.make(op, 64, a.label, b.label), low, high};
  };
  if (name == "+")
    return make(Op::Add, a.low + b.low, a.high + b.high);
  if (name == "-")
    return make(Op::Sub, a.low - b.high, a.high - b.low);
  if (name == "*") {
    const std::array corners{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return make(Op::Mul, *std::ranges::min_element(corners), *std::ranges::max_element(corners));
  }
  const double most = std::max(std::abs(a.low), std::abs(a.high));
  if (name == "/" || name == "%")
    return make(name == "/" ? Op::SDiv : Op::SRem, -most, most);
  if (name == "&&")
    return truth(table, table.make(Op::And, 1, is_true(table, a), is_true(table, b)));
  if (name == "||")
    return truth(table, table.make(Op::Or, 1, is_true(table, a), is_true(table, b)));
  if (name == "!")
    return truth(table, table.negation(is_true(table, a)));
  return compared(table, name, a, b);
}

} // namespace gputest::testgen
