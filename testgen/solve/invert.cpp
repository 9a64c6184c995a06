// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/invert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostSteps = 4'000; // of one condition

double floating_value(std::uint64_t bits, unsigned width) {
  return width == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                     : std::bit_cast<double>(bits);
}

std::uint64_t floating_bits(double number, unsigned width) {
  return width == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                     : std::bit_cast<std::uint64_t>(number);
}

// x with x * factor == 1 modulo 2^64; `factor` is odd (Newton).
std::uint64_t inverse_of(std::uint64_t factor) {
  std::uint64_t x = factor;
  for (int i = 0; i < 6; ++i)
    x *= 2 - factor * x;
  return x;
}

class Inverter {
public:
  Inverter(const Table& table, Label condition, const Functions* functions,
           const std::vector<std::uint64_t>& values, const std::vector<bool>& fixed,
           const std::function<bool(const std::vector<std::uint64_t>&)>& offer)
      : table_(table), tape_(table, std::vector<Label>{condition}, functions), values_(values),
        fixed_(fixed), offer_(offer) {
    tape_.run(values);
  }

  void run(Label condition) { condition_is(condition, true); }

private:
  std::uint64_t now(Label label) { return tape_.value(label); }
  bool constant(Label label) const { return table_[label].op == Op::Constant; }

  // A condition is to be `wanted`.
  void condition_is(Label label, bool wanted) {
    if (done_ || ++steps_ > kMostSteps)
      return;
    const Node& node = table_[label];
    const auto sides = [&](const std::vector<std::uint64_t>& for_a,
                           const std::vector<std::uint64_t>& for_b) {
      for (const std::uint64_t value : for_a)
        becomes(node.a, value);
      for (const std::uint64_t value : for_b)
        becomes(node.b, value);
    };
    const unsigned width = table_[node.a].bits;
    switch (node.op) {
    case Op::Xor:
      if (constant(node.b))
        condition_is(node.a, wanted != (table_[node.b].number != 0));
      return;
    case Op::And:
    case Op::Or:
      condition_is(node.a, wanted);
      condition_is(node.b, wanted);
      return;
    case Op::Select:
      condition_is(node.a, true);
      condition_is(node.a, false);
      if (node.bits == 1) {
        condition_is(node.b, wanted);
        condition_is(node.c, wanted);
      }
      return;
    case Op::Equal: {
      const std::uint64_t a = now(node.a), b = now(node.b);
      if (wanted)
        sides({b}, {a});
      else
        sides({b + 1, b - 1, ~b}, {a + 1, a - 1});
      return;
    }
    case Op::ULess:
    case Op::ULessEqual:
    case Op::SLess:
    case Op::SLessEqual: {
      // On the boundary, one beyond it, and at the ends.
      const std::uint64_t a = now(node.a), b = now(node.b);
      const bool with_sign = node.op == Op::SLess || node.op == Op::SLessEqual;
      const std::uint64_t lowest = with_sign ? std::uint64_t{1} << (width - 1) : 0;
      const std::uint64_t highest = lowest - 1;
      if (wanted)
        sides({b, b - 1, lowest}, {a, a + 1, highest});
      else
        sides({b, b + 1, highest}, {a, a - 1, lowest});
      return;
    }
    case Op::FEqual:
    case Op::FLess:
    case Op::FLessEqual: {
      const std::uint64_t a = now(node.a), b = now(node.b);
      sides(around(b, width), around(a, width));
      return;
    }
    case Op::FUnordered: {
      const std::uint64_t nan = floating_bits(std::numeric_limits<double>::quiet_NaN(), width);
      if (wanted)
        sides({nan}, {nan});
      else
        sides({0}, {0});
      return;
    }
    case Op::Extract: // one bit of a number
    case Op::Trunc:
      becomes(label, wanted);
      return;
    default:
      becomes(label, wanted);
      return;
    }
  }

  static std::vector<std::uint64_t> around(std::uint64_t bits, unsigned width) {
    const double number = floating_value(bits, width);
    std::vector<std::uint64_t> all{bits};
    if (width == 32) {
      const float exact = static_cast<float>(number);
      for (const float other :
           {std::nextafterf(exact, INFINITY), std::nextafterf(exact, -INFINITY)})
        all.push_back(std::bit_cast<std::uint32_t>(other));
    } else {
      for (const double other :
           {std::nextafter(number, INFINITY), std::nextafter(number, -INFINITY)})
        all.push_back(std::bit_cast<std::uint64_t>(other));
    }
    for (const double other :
         {number + 1, number - 1, number * 2, number / 2, number * 1.001, number * 0.999, -number})
      all.push_back(floating_bits(other, width));
    return all;
  }

  // The expression is to have this value, by way of each operand.
  void becomes(Label label, std::uint64_t value) {
    if (done_ || ++steps_ > kMostSteps || constant(label))
      return;
    const Node& node = table_[label];
    value = cut(value, node.bits);
    const auto a = [&] { return now(node.a); };
    const auto b = [&] { return now(node.b); };
    const unsigned from = table_[node.a].bits;
    switch (node.op) {
    case Op::Input:
      set(node, value);
      return;
    case Op::Add:
      becomes(node.a, value - b());
      becomes(node.b, value - a());
      return;
    case Op::Sub:
      becomes(node.a, value + b());
      becomes(node.b, a() - value);
      return;
    case Op::Xor:
      becomes(node.a, value ^ b());
      becomes(node.b, value ^ a());
      return;
    case Op::Mul:
      divide(node.a, value, b());
      divide(node.b, value, a());
      return;
    case Op::UDiv:
    case Op::SDiv:
      becomes(node.a, value * b());
      becomes(node.a, value * b() + b() - 1);
      return;
    case Op::URem:
    case Op::SRem: // to the nearest number with this remainder
      if (b() != 0)
        becomes(node.a, a() - a() % b() + value);
      becomes(node.a, value);
      return;
    case Op::And:
      becomes(node.a, (a() & ~b()) | (value & b()));
      becomes(node.b, (b() & ~a()) | (value & a()));
      return;
    case Op::Or:
      becomes(node.a, value & ~b());
      becomes(node.b, value & ~a());
      becomes(node.a, value);
      return;
    case Op::Shl:
      becomes(node.a, value >> (b() % node.bits));
      return;
    case Op::LShr:
    case Op::AShr:
      becomes(node.a,
              value << (b() % node.bits) | (a() & ((std::uint64_t{1} << (b() % node.bits)) - 1)));
      return;
    case Op::ZExt:
    case Op::SExt:
      becomes(node.a, value);
      return;
    case Op::Trunc:
      becomes(node.a, (a() & ~cut(~std::uint64_t{0}, node.bits)) | value);
      return;
    case Op::Extract: {
      const std::uint64_t mask = cut(~std::uint64_t{0}, node.bits) << node.number;
      becomes(node.a, (a() & ~mask) | (value << node.number & mask));
      return;
    }
    case Op::Concat:
      both(node, value);
      return;
    case Op::Select:
      if (now(node.a))
        becomes(node.b, value);
      else
        becomes(node.c, value);
      if (now(node.b) == value || now(node.c) == value)
        condition_is(node.a, now(node.b) == value);
      return;
    case Op::SwapBytes:
    case Op::ReverseBits:
      becomes(node.a, apply(node, from, value, 0, 0));
      return;
    case Op::FNeg:
      becomes(node.a, value ^ (std::uint64_t{1} << (node.bits - 1)));
      return;
    case Op::FAbs:
      becomes(node.a, value);
      becomes(node.a, value ^ (std::uint64_t{1} << (node.bits - 1)));
      return;
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FSqrt:
      arithmetic(node, value);
      return;
    case Op::FFloor:
    case Op::FCeil:
    case Op::FTrunc:
    case Op::FRint:
    case Op::FRound:
    case Op::FMin:
    case Op::FMax:
      becomes(node.a, value);
      if (node.b)
        becomes(node.b, value);
      return;
    case Op::FMulAdd: {
      const double x = floating(node.a), y = floating(node.b), z = floating(node.c);
      const double wanted = floating_value(value, node.bits);
      becomes(node.c, floating_bits(wanted - x * y, node.bits));
      becomes(node.a, floating_bits((wanted - z) / y, node.bits));
      becomes(node.b, floating_bits((wanted - z) / x, node.bits));
      return;
    }
    case Op::SToF:
      becomes(node.a, integer(floating_value(value, node.bits)));
      return;
    case Op::UToF:
      becomes(node.a, integer(floating_value(value, node.bits)));
      return;
    case Op::FToS:
      becomes(node.a, floating_bits(static_cast<double>(sign_extended(value, node.bits)), from));
      return;
    case Op::FToU:
      becomes(node.a, floating_bits(static_cast<double>(value), from));
      return;
    case Op::FExt:
    case Op::FRoundTo:
      becomes(node.a, floating_bits(floating_value(value, node.bits), from));
      return;
    default:
      if (node.bits == 1 && node.op >= Op::Equal && node.op <= Op::SLessEqual)
        condition_is(label, value != 0);
      else if (node.op >= Op::FEqual && node.op <= Op::FUnordered)
        condition_is(label, value != 0);
      return;
    }
  }

  static std::uint64_t integer(double number) {
    if (!(number > -9.3e18 && number < 9.2e18))
      return 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  }

  double floating(Label label) { return floating_value(now(label), table_[label].bits); }

  void arithmetic(const Node& node, std::uint64_t value) {
    const unsigned width = node.bits;
    const double wanted = floating_value(value, width);
    const double x = floating(node.a), y = node.b ? floating(node.b) : 0;
    const auto to = [&](Label label, double number) {
      becomes(label, floating_bits(number, width));
    };
    if (node.b && node.a == node.b) { // x * x, x + x
      to(node.a, node.op == Op::FMul ? std::sqrt(wanted) : wanted / 2);
      return;
    }
    switch (node.op) {
    case Op::FAdd:
      to(node.a, wanted - y);
      to(node.b, wanted - x);
      return;
    case Op::FSub:
      to(node.a, wanted + y);
      to(node.b, x - wanted);
      return;
    case Op::FMul:
      to(node.a, wanted / y);
      to(node.b, wanted / x);
      return;
    case Op::FDiv:
      to(node.a, wanted * y);
      to(node.b, x / wanted);
      return;
    default:
      to(node.a, wanted * wanted);
      return;
    }
  }

  // label * by == value.
  void divide(Label label, std::uint64_t value, std::uint64_t by) {
    if (by == 0)
      return;
    const unsigned width = table_[label].bits;
    const int shift = std::countr_zero(by);
    if (cut(value, static_cast<unsigned>(shift)) == 0)
      becomes(label, cut(value, width) / (std::uint64_t{1} << shift) * inverse_of(by >> shift));
    becomes(label, static_cast<std::uint64_t>(sign_extended(value, width) /
                                              std::max<std::int64_t>(1, sign_extended(by, width))));
  }

  // A number put together of parts: all of them at the same time.
  void both(const Node& node, std::uint64_t value) {
    const unsigned low = table_[node.b].bits;
    const bool was = collecting_;
    const std::vector<std::uint64_t> before = values_;
    collecting_ = true;
    becomes(node.a, value >> low);
    becomes(node.b, cut(value, low));
    collecting_ = was;
    if (!collecting_ && !done_ && values_ != before)
      done_ = offer_(values_);
    if (!collecting_)
      values_ = before;
  }

  void set(const Node& input, std::uint64_t value) {
    std::uint64_t& unit = values_[input.number];
    if (fixed_[input.number] || unit == value)
      return;
    const std::uint64_t before = unit;
    unit = value;
    if (collecting_)
      return;
    done_ = offer_(values_);
    unit = before;
  }

  const Table& table_;
  Tape tape_;
  std::vector<std::uint64_t> values_;
  const std::vector<bool>& fixed_;
  const std::function<bool(const std::vector<std::uint64_t>&)>& offer_;
  std::size_t steps_ = 0;
  bool done_ = false, collecting_ = false;
};

} // namespace

void offer_inverses(const Table& table, Label condition, const Functions* functions,
                    const std::vector<std::uint64_t>& values, const std::vector<bool>& fixed,
                    const std::function<bool(const std::vector<std::uint64_t>&)>& offer) {
  if (table[condition].op != Op::Constant)
    Inverter(table, condition, functions, values, fixed, offer).run(condition);
}

} // namespace gputest::testgen
