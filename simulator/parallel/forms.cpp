// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/forms.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gputest::simulator {
namespace {

using Kind = Term::Kind;

// Numbers beyond kFar are all the same.
std::int64_t clamped(__int128 number) {
  return static_cast<std::int64_t>(std::clamp<__int128>(number, -kFar, kFar));
}

std::optional<std::int64_t> small(__int128 number) {
  if (number > kFar || number < -kFar)
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

Range multiplied(Range range, std::int64_t factor) {
  const auto times = [&](std::int64_t end) { return clamped(static_cast<__int128>(end) * factor); };
  return factor >= 0 ? Range{times(range.low), times(range.high)}
                     : Range{times(range.high), times(range.low)};
}

Range added(Range left, Range right) {
  return {clamped(static_cast<__int128>(left.low) + right.low),
          clamped(static_cast<__int128>(left.high) + right.high)};
}

// Returns how often the one is the other, without constants; nullopt: it is no multiple.
std::optional<std::int64_t> ratio(const Form& form, const Form& of) {
  if (form.factors.size() != of.factors.size() || form.factors.empty())
    return std::nullopt;
  std::optional<std::int64_t> times;
  for (auto left = form.factors.begin(), right = of.factors.begin(); left != form.factors.end();
       ++left, ++right) {
    if (left->first != right->first || left->second % right->second != 0 ||
        (times && *times != left->second / right->second))
      return std::nullopt;
    times = left->second / right->second;
  }
  return times;
}

} // namespace

Range joined(Range left, Range right) {
  return {std::min(left.low, right.low), std::max(left.high, right.high)};
}

std::int64_t divided(std::int64_t number, std::int64_t by) {
  return number / by - (number % by != 0 && (number < 0) != (by < 0));
}

std::int64_t Form::factor(unsigned variable) const {
  const auto found = factors.find(variable);
  return found == factors.end() ? 0 : found->second;
}

std::optional<Form> sum(const Form& left, const Form& right, std::int64_t times) {
  Form result = left;
  for (const auto& [variable, factor] : right.factors) {
    const auto all =
        small(static_cast<__int128>(left.factor(variable)) + static_cast<__int128>(factor) * times);
    if (!all)
      return std::nullopt;
    if (*all == 0)
      result.factors.erase(variable);
    else
      result.factors[variable] = *all;
  }
  const auto constant =
      small(static_cast<__int128>(left.constant) + static_cast<__int128>(right.constant) * times);
  if (!constant)
    return std::nullopt;
  result.constant = *constant;
  return result;
}

std::optional<Form> product(const Form& form, std::int64_t factor) {
  return sum({}, form, factor);
}

Range Forms::signed_range(unsigned bits) {
  if (bits > 62)
    return {-kFar, kFar};
  return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
}

Range Forms::unsigned_range(unsigned bits) {
  return {0, bits > 61 ? kFar : (std::int64_t{1} << bits) - 1};
}

Forms::Forms(const GroupAccesses& accesses, const gputest_context& context,
             std::span<const std::byte> arguments)
    : accesses_(accesses), context_(context), arguments_(arguments), known_(accesses.terms.size()) {
  for (unsigned i = 0; i < 3; ++i) {
    ranges_[kGroupIds + i] = {0, static_cast<std::int64_t>(context.num_groups[i]) - 1};
    ranges_[kLocalIds + i] = {0, static_cast<std::int64_t>(context.enqueued_local_size[i]) - 1};
  }
}

Range Forms::range_of(unsigned variable) const {
  return ranges_.at(variable);
}

Range Forms::range(const Form& form) const {
  Range result{form.constant, form.constant};
  for (const auto& [variable, factor] : form.factors)
    result = added(result, multiplied(ranges_.at(variable), factor));
  for (const Form& other : at_most_0_) {
    const std::optional<std::int64_t> times = ratio(form, other);
    if (!times)
      continue;
    const std::int64_t end =
        clamped(form.constant - static_cast<__int128>(other.constant) * *times);
    if (*times > 0)
      result.high = std::min(result.high, end);
    else
      result.low = std::max(result.low, end);
  }
  return result;
}

bool Forms::fits(const Form& form, Range range) const {
  const Range values = this->range(form);
  // An end at kFar may stand for more.
  return values.low >= range.low && values.high <= range.high && values.low > -kFar &&
         values.high < kFar;
}

Form Forms::of(unsigned term) {
  if (!known_[term])
    known_[term] = make(term);
  return *known_[term];
}

Form Forms::opaque(unsigned number, Range range) {
  const auto variable = static_cast<unsigned>(kIterations + accesses_.loops.size()) + number;
  ranges_.try_emplace(variable, range);
  return {.factors = {{variable, 1}}};
}

Form Forms::make(unsigned number) {
  const Term& term = accesses_.terms[number];
  switch (term.kind) {
  case Kind::Constant:
    if (!small(term.value))
      return opaque(number);
    return {.constant = term.value};
  case Kind::GroupId:
    return {.factors = {{kGroupIds + static_cast<unsigned>(term.value), 1}}};
  case Kind::LocalId:
    return {.factors = {{kLocalIds + static_cast<unsigned>(term.value), 1}}};
  case Kind::Iteration:
    return iteration(term);
  case Kind::Argument: {
    const auto at = static_cast<std::size_t>(term.value), size = std::size_t{term.bits / 8};
    std::uint64_t bits = 0;
    if (at + size > arguments_.size())
      return opaque(number);
    std::memcpy(&bits, arguments_.data() + at, size);
    const unsigned unused = 64 - term.bits;
    const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
    return small(value) ? Form{.constant = value} : opaque(number);
  }
  case Kind::Context:
    return context_word(term, number);
  case Kind::Unknown:
    return opaque(number);
  case Kind::Sum: {
    const std::optional<Form> both = sum(of(term.left), of(term.right));
    return both ? *both : opaque(number);
  }
  case Kind::Product:
    return product_of(term, number);
  case Kind::Quotient:
    return quotient_of(term, number);
  case Kind::SignedMost:
  case Kind::SignedLeast:
  case Kind::UnsignedMost:
  case Kind::UnsignedLeast:
    return chosen_of(term, number);
  case Kind::SignExtended:
  case Kind::ZeroExtended:
  case Kind::Truncated:
    return converted(term, number);
  }
  return opaque(number);
}

// Forms of terms with fewer than 64 bits are any numbers that have these bits.

Form Forms::product_of(const Term& term, unsigned number) {
  const Form left = of(term.left), right = of(term.right);
  if (left.is_constant() || right.is_constant()) {
    const std::optional<Form> multiple =
        left.is_constant() ? product(right, left.constant) : product(left, right.constant);
    return multiple ? *multiple : opaque(number);
  }
  const Range one = range(left), other = range(right);
  if (one.low < 0 || other.low < 0 || one.high >= kFar || other.high >= kFar)
    return opaque(number);
  const Range all{clamped(static_cast<__int128>(one.low) * other.low),
                  clamped(static_cast<__int128>(one.high) * other.high)};
  return all.high >= kFar ? opaque(number) : opaque(number, all);
}

Form Forms::quotient_of(const Term& term, unsigned number) {
  const Form left = of(term.left), right = of(term.right);
  const Range all = unsigned_range(term.bits);
  if (!right.is_constant() || right.constant <= 0 || !fits(left, all) || !fits(right, all))
    return opaque(number, all);
  const std::int64_t by = right.constant;
  const bool exact =
      left.constant % by == 0 &&
      std::ranges::all_of(left.factors, [&](const auto& each) { return each.second % by == 0; });
  if (!exact) {
    const Range values = range(left);
    return opaque(number, {values.low / by, values.high / by});
  }
  Form result{.constant = left.constant / by};
  for (const auto& [variable, factor] : left.factors)
    result.factors[variable] = factor / by;
  return result;
}

Form Forms::chosen_of(const Term& term, unsigned number) {
  const bool is_signed = term.kind == Kind::SignedMost || term.kind == Kind::SignedLeast;
  const bool most = term.kind == Kind::SignedMost || term.kind == Kind::UnsignedMost;
  const Range all = is_signed ? signed_range(term.bits) : unsigned_range(term.bits);
  const Form left = of(term.left), right = of(term.right);
  if (!fits(left, all) || !fits(right, all))
    return opaque(number, all);
  const Range one = range(left), other = range(right);
  if (one.low >= other.high)
    return most ? left : right;
  if (other.low >= one.high)
    return most ? right : left;
  return most ? opaque(number, {std::max(one.low, other.low), std::max(one.high, other.high)})
              : opaque(number, {std::min(one.low, other.low), std::min(one.high, other.high)});
}

Form Forms::converted(const Term& term, unsigned number) {
  const Form operand = of(term.left);
  if (term.kind == Kind::Truncated)
    return operand;
  const unsigned bits = accesses_.terms[term.left].bits;
  const Range all = term.kind == Kind::SignExtended ? signed_range(bits) : unsigned_range(bits);
  return fits(operand, all) ? operand : opaque(number, all);
}

Form Forms::context_word(const Term& term, unsigned number) {
  const auto at = static_cast<std::size_t>(term.value);
  constexpr std::size_t kLocal = offsetof(gputest_context, local_size);
  if (at >= kLocal && at < kLocal + sizeof context_.local_size) {
    const std::size_t i = (at - kLocal) / sizeof context_.local_size[0];
    const std::uint64_t size = context_.enqueued_local_size[i];
    if (context_.num_groups[i] * size == context_.global_size[i])
      return {.constant = static_cast<std::int64_t>(size)};
    return opaque(number, {1, static_cast<std::int64_t>(size)});
  }
  std::int64_t word = 0;
  if (at + sizeof word > sizeof context_)
    return opaque(number);
  std::memcpy(&word, reinterpret_cast<const std::byte*>(&context_) + at, sizeof word);
  return small(word) ? Form{.constant = word} : opaque(number);
}

Form Forms::iteration(const Term& term) {
  const auto loop = static_cast<unsigned>(term.value);
  const unsigned variable = kIterations + loop;
  if (!ranges_.contains(variable)) {
    Forms at_begin(accesses_, context_, arguments_);
    const bool begins = at_begin.assume(accesses_.loops[loop].where);
    ranges_[variable] = {0, begins ? at_begin.last_iteration(accesses_.loops[loop]) : 0};
  }
  return {.factors = {{variable, 1}}};
}

// Returns a bound of the iterations' numbers; kFar: there is none.
std::int64_t Forms::last_iteration(const GroupLoop& loop) {
  if (loop.repeats) {
    const Form repeats = of(*loop.repeats);
    return fits(repeats, unsigned_range(accesses_.terms[*loop.repeats].bits)) ? range(repeats).high
                                                                              : kFar;
  }
  if (!loop.count)
    return kFar;
  const auto& [start_term, step_term, limit_term, or_equal, is_signed, down, at_begin] =
      *loop.count;
  const unsigned bits = accesses_.terms[start_term].bits;
  const Range all = is_signed ? signed_range(bits) : unsigned_range(bits);
  const Form start = of(start_term), step = of(step_term), limit = of(limit_term);
  if (!step.is_constant() || step.constant == 0 || down != (step.constant < 0) ||
      !fits(start, all) || !fits(limit, all))
    return kFar;
  // What goes on is `last` at most, so the next number does not wrap if one more step does not. A
  // loop that compares at its end compares no first number.
  const Range begins = range(start), ends = range(limit);
  const std::int64_t last = down ? ends.low + (or_equal ? 0 : 1) : ends.high - (or_equal ? 0 : 1);
  const std::int64_t first = at_begin ? last : down ? begins.low : begins.high;
  const bool wraps = down ? std::min(first, last) + step.constant < all.low
                          : std::max(first, last) + step.constant > all.high;
  const std::int64_t way = down ? begins.high - last : last - begins.low;
  const std::int64_t size = std::abs(step.constant);
  return wraps ? kFar : std::max<std::int64_t>(0, (way + (at_begin ? size : 0)) / size);
}

bool Forms::assume(std::span<const unsigned> comparisons) {
  for (const unsigned number : comparisons)
    note(accesses_.comparisons[number]);
  const bool possible = tighten();
  std::ranges::fill(known_, std::nullopt); // ranges are others now
  return possible;
}

void Forms::note(const Comparison& comparison) {
  const unsigned bits = accesses_.terms[comparison.left].bits;
  const Form left = of(comparison.left), right = of(comparison.right);
  const Range all = comparison.is_signed ? signed_range(bits) : unsigned_range(bits);
  Form one{.constant = comparison.or_equal ? 0 : 1};
  const auto less = [&] {
    std::optional<Form> difference = sum(left, right, -1);
    return difference ? sum(*difference, one) : std::nullopt;
  };
  if (fits(left, all) && fits(right, all)) {
    note_at_most_0(less());
  } else if (!comparison.is_signed && fits(left, signed_range(bits)) && fits(right, all) &&
             fits(right, signed_range(bits))) { // as unsigned numbers, negative ones are large
    note_at_most_0(less());
    note_at_most_0(product(left, -1));
  }
}

void Forms::note_at_most_0(std::optional<Form> form) {
  if (form)
    at_most_0_.push_back(std::move(*form));
}

bool Forms::tighten() {
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round)
    for (const Form& form : at_most_0_) {
      if (form.is_constant() && form.constant > 0)
        return false;
      for (const auto& [variable, factor] : form.factors) {
        Form others = form;
        others.factors.erase(variable);
        Range least{others.constant, others.constant};
        for (const auto& [other, times] : others.factors)
          least = added(least, multiplied(ranges_.at(other), times));
        if (least.low <= -kFar)
          continue;
        Range& values = ranges_.at(variable); // factor * value <= -least
        if (factor > 0)
          values.high = std::min(values.high, divided(-least.low, factor));
        else
          values.low = std::max(values.low, -divided(-least.low, -factor));
        if (values.low > values.high)
          return false;
      }
    }
  return true;
}

} // namespace gputest::simulator
