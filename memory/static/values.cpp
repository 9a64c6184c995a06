// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/values.h"

#include <algorithm>
#include <numeric>

namespace gputest::memory {
namespace {

bool is_comparison(Operator what) {
  return what >= Operator::Equal;
}

// Returns nullopt if the operation is undefined.
std::optional<std::uint64_t> computed(Operator what, std::uint64_t left, std::uint64_t right,
                                      unsigned bits) {
  const std::int64_t a = as_signed(left, bits), b = as_signed(right, bits);
  switch (what) {
  case Operator::Add:
    return masked(left + right, bits);
  case Operator::Multiply:
    return masked(left * right, bits);
  case Operator::And:
    return left & right;
  case Operator::Or:
    return left | right;
  case Operator::Xor:
    return left ^ right;
  case Operator::ShiftLeft:
    return right >= bits ? std::nullopt : std::optional(masked(left << right, bits));
  case Operator::ShiftRight:
    return right >= bits ? std::nullopt : std::optional(left >> right);
  case Operator::ShiftRightSigned:
    return right >= bits ? std::nullopt
                         : std::optional(masked(static_cast<std::uint64_t>(a >> right), bits));
  case Operator::Divide:
    return right == 0 ? std::nullopt : std::optional(left / right);
  case Operator::Remainder:
    return right == 0 ? std::nullopt : std::optional(left % right);
  case Operator::DivideSigned:
  case Operator::RemainderSigned:
    if (b == 0 || (b == -1 && a == as_signed(std::uint64_t{1} << (bits - 1), bits)))
      return std::nullopt;
    return masked(static_cast<std::uint64_t>(what == Operator::DivideSigned ? a / b : a % b), bits);
  case Operator::Least:
    return std::min(left, right);
  case Operator::Most:
    return std::max(left, right);
  case Operator::LeastSigned:
    return a < b ? left : right;
  case Operator::MostSigned:
    return a < b ? right : left;
  case Operator::Equal:
    return left == right;
  case Operator::Unequal:
    return left != right;
  case Operator::Less:
    return left < right;
  case Operator::LessOrEqual:
    return left <= right;
  case Operator::LessSigned:
    return a < b;
  case Operator::LessOrEqualSigned:
    return a <= b;
  }
  return std::nullopt;
}

// The bounds as numbers that do not wrap around.
struct Range {
  Wide low = 0, high = 0;
};
// The range of values at one distance that do not wrap around.
std::optional<Range> straight_range(const ValueSet& value, unsigned bits, bool is_signed) {
  if (!value.is_stepped())
    return std::nullopt;
  const Wide first = is_signed ? Wide{as_signed(value.first(), bits)} : Wide{value.first()};
  const Wide last = first + Wide{as_signed(value.step(), bits)} * Wide{value.steps()};
  const Wide size = Wide{1} << bits, least = is_signed ? -size / 2 : 0,
             most = is_signed ? size / 2 - 1 : size - 1;
  if (last < least || last > most)
    return std::nullopt;
  return Range{std::min(first, last), std::max(first, last)};
}

std::optional<Range> range_of(const ValueSet& value, unsigned bits, bool is_signed) {
  const auto number = [&](std::uint64_t word) -> Wide {
    return is_signed ? Wide{as_signed(word, bits)} : Wide{word};
  };
  if (const auto all = value.listed(bits)) {
    Range range{number(all->front()), number(all->front())};
    for (const std::uint64_t one : *all) {
      range.low = std::min(range.low, number(one));
      range.high = std::max(range.high, number(one));
    }
    return range;
  }
  return straight_range(value, bits, is_signed);
}

ValueSet between(Wide low, Wide high, std::uint64_t step, unsigned bits) {
  return ValueSet::stepped(masked(static_cast<std::uint64_t>(low), bits), step,
                           static_cast<std::uint64_t>((high - low) / static_cast<Wide>(step)));
}

// Makes a set whose steps go forward and whose range fits a word.
struct Steps {
  std::uint64_t first = 0, step = 0, steps = 0;
};
std::optional<Steps> forward(const ValueSet& value, unsigned bits) {
  if (!value.is_stepped()) {
    const auto all = value.listed(bits);
    if (!all)
      return std::nullopt;
    std::uint64_t distance = 0;
    for (const std::uint64_t one : *all)
      distance = std::gcd(distance, one - all->front());
    return Steps{all->front(), distance, (all->back() - all->front()) / distance};
  }
  Steps steps{value.first(), value.step(), value.steps()};
  const std::int64_t distance = as_signed(steps.step, bits);
  if (distance < 0) {
    steps.first = masked(steps.first + steps.step * steps.steps, bits);
    steps.step = static_cast<std::uint64_t>(-distance);
  }
  if (Wide{steps.step} * Wide{steps.steps} >= Wide{1} << bits)
    return std::nullopt;
  return steps;
}

ValueSet added(const ValueSet& left, const ValueSet& right, unsigned bits) {
  const auto a = forward(left, bits), b = forward(right, bits);
  if (!a || !b)
    return ValueSet::any();
  const std::uint64_t step = std::gcd(a->step, b->step);
  const Wide span = Wide{a->step} * Wide{a->steps} + Wide{b->step} * Wide{b->steps};
  if (step == 0)
    return ValueSet::one(masked(a->first + b->first, bits));
  if (span >= Wide{1} << bits)
    return ValueSet::any();
  return ValueSet::stepped(masked(a->first + b->first, bits), step,
                           static_cast<std::uint64_t>(span / static_cast<Wide>(step)));
}

ValueSet by_ranges(Operator what, const ValueSet& left, const ValueSet& right, unsigned bits) {
  const bool is_signed = what == Operator::LessSigned || what == Operator::LessOrEqualSigned ||
                         what == Operator::LeastSigned || what == Operator::MostSigned;
  const auto a = range_of(left, bits, is_signed), b = range_of(right, bits, is_signed);
  const auto unknown = [&] {
    return is_comparison(what) ? ValueSet::few({0, 1}) : ValueSet::any();
  };
  if (what == Operator::And || what == Operator::Remainder) {
    // The smaller operand, or the divisor, is another bound.
    if (!b || (what == Operator::Remainder && b->low == 0))
      return what == Operator::And && a ? between(0, a->high, 1, bits) : unknown();
    const Wide most = what == Operator::Remainder ? b->high - 1 : b->high;
    return between(0, a ? std::min(most, a->high) : most, 1, bits);
  }
  if (what == Operator::DivideSigned || what == Operator::RemainderSigned ||
      what == Operator::ShiftRightSigned) {
    const auto c = range_of(left, bits, true), d = range_of(right, bits, true);
    if (!c || !d || c->low < 0 || d->low < 0)
      return unknown();
    return by_ranges(what == Operator::DivideSigned      ? Operator::Divide
                     : what == Operator::RemainderSigned ? Operator::Remainder
                                                         : Operator::ShiftRight,
                     left, right, bits);
  }
  if (!a || !b)
    return unknown();
  switch (what) {
  case Operator::Divide:
    return b->low == 0 ? unknown() : between(a->low / b->high, a->high / b->low, 1, bits);
  case Operator::ShiftRight:
    return b->high >= bits ? unknown()
                           : between(a->low >> static_cast<unsigned>(b->high),
                                     a->high >> static_cast<unsigned>(b->low), 1, bits);
  case Operator::Least:
  case Operator::LeastSigned:
    return between(std::min(a->low, b->low), std::min(a->high, b->high), 1, bits);
  case Operator::Most:
  case Operator::MostSigned:
    return between(std::max(a->low, b->low), std::max(a->high, b->high), 1, bits);
  case Operator::Equal:
  case Operator::Unequal:
    if (a->high < b->low || b->high < a->low)
      return ValueSet::one(what == Operator::Unequal);
    return unknown();
  case Operator::Less:
  case Operator::LessSigned:
    if (a->high < b->low)
      return ValueSet::one(1);
    return a->low >= b->high ? ValueSet::one(0) : unknown();
  case Operator::LessOrEqual:
  case Operator::LessOrEqualSigned:
    if (a->high <= b->low)
      return ValueSet::one(1);
    return a->low > b->high ? ValueSet::one(0) : unknown();
  default:
    return unknown();
  }
}

void make_distinct(std::vector<std::uint64_t>& values) {
  if (!std::ranges::is_sorted(values))
    std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
}

} // namespace

ValueSet ValueSet::few(std::vector<std::uint64_t> values) {
  make_distinct(values);
  if (values.empty() || values.size() > kMostFew)
    return any();
  if (values.size() == 1)
    return one(values.front());
  ValueSet set;
  set.any_ = false;
  set.few_ = std::move(values);
  return set;
}

std::optional<std::vector<std::uint64_t>> ValueSet::listed(unsigned bits) const {
  if (any_ || steps_ >= kMostFew)
    return std::nullopt;
  if (!few_.empty())
    return few_;
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i <= steps_; ++i)
    values.push_back(masked(first_ + i * step_, bits));
  make_distinct(values);
  return values;
}

std::optional<std::uint64_t> ValueSet::largest(unsigned bits) const {
  const auto range = range_of(*this, bits, false);
  return range ? std::optional(static_cast<std::uint64_t>(range->high)) : std::nullopt;
}

ValueSet applied(Operator what, const ValueSet& left, const ValueSet& right, unsigned bits) {
  if (left.is_one() && right.is_one()) {
    const auto value = computed(what, left.first(), right.first(), bits);
    return value ? ValueSet::one(*value) : ValueSet::any();
  }
  const bool zero = (left.is_one() && left.first() == 0) || (right.is_one() && right.first() == 0);
  if (zero && (what == Operator::Multiply || what == Operator::And))
    return ValueSet::one(0);
  const bool steps = left.is_stepped() && right.is_stepped();
  if (what == Operator::Add && steps)
    return added(left, right, bits);
  if (what == Operator::Multiply && steps && (left.is_one() || right.is_one())) {
    const ValueSet& several = left.is_one() ? right : left;
    const std::uint64_t factor = left.is_one() ? left.first() : right.first();
    return ValueSet::stepped(masked(several.first() * factor, bits),
                             masked(several.step() * factor, bits), several.steps());
  }
  if (what == Operator::ShiftLeft && steps && right.is_one() && right.first() < bits)
    return applied(Operator::Multiply, left, ValueSet::one(std::uint64_t{1} << right.first()),
                   bits);
  const auto a = left.listed(bits), b = right.listed(bits);
  if (a && b && a->size() * b->size() <= 4096) {
    std::vector<std::uint64_t> values;
    for (const std::uint64_t one : *a) {
      for (const std::uint64_t other : *b)
        if (const auto value = computed(what, one, other, bits))
          values.push_back(*value); // a division by 0 has no value
      if (values.size() <= 2 * ValueSet::kMostFew)
        continue;
      make_distinct(values);
      if (values.size() > ValueSet::kMostFew)
        break; // more than can be listed
    }
    if (const ValueSet set = ValueSet::few(std::move(values)); !set.is_any())
      return set;
  }
  if (what == Operator::Add)
    return added(left, right, bits);
  return by_ranges(what, left, right, bits);
}

ValueSet truncated(const ValueSet& value, unsigned bits) {
  if (value.is_stepped())
    return ValueSet::stepped(masked(value.first(), bits), masked(value.step(), bits),
                             value.steps());
  auto all = value.listed(64);
  if (!all)
    return ValueSet::any();
  for (std::uint64_t& one : *all)
    one = masked(one, bits);
  return ValueSet::few(std::move(*all));
}

ValueSet extended(const ValueSet& value, unsigned from, bool is_signed, unsigned to) {
  const auto wide = [&](std::uint64_t word) {
    return is_signed ? masked(static_cast<std::uint64_t>(as_signed(word, from)), to) : word;
  };
  if (value.is_one())
    return ValueSet::one(wide(value.first()));
  if (straight_range(value, from, is_signed))
    return ValueSet::stepped(wide(value.first()),
                             masked(static_cast<std::uint64_t>(as_signed(value.step(), from)), to),
                             value.steps());
  if (auto all = value.listed(from)) {
    for (std::uint64_t& one : *all)
      one = wide(one);
    return ValueSet::few(std::move(*all));
  }
  // Every value of the word may come.
  return from < 63 ? between(is_signed ? -(Wide{1} << (from - 1)) : 0,
                             (Wide{1} << (is_signed ? from - 1 : from)) - 1, 1, to)
                   : ValueSet::any();
}

ValueSet joined(const ValueSet& left, const ValueSet& right, unsigned bits) {
  if (left == right)
    return left;
  const auto a = left.listed(bits), b = right.listed(bits);
  if (a && b) {
    std::vector<std::uint64_t> values = *a;
    values.insert(values.end(), b->begin(), b->end());
    if (const ValueSet set = ValueSet::few(std::move(values)); !set.is_any())
      return set;
  }
  const auto one = range_of(left, bits, false), other = range_of(right, bits, false);
  if (!one || !other)
    return ValueSet::any();
  return between(std::min(one->low, other->low), std::max(one->high, other->high), 1, bits);
}

} // namespace gputest::memory
