// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The possible values of a number, as far as ids and arguments determine them: one value, a few,
// values at equal distances, or any. Values are unsigned words of `bits` bits, kept in 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::memory {

// An integer in which 64-bit sums and products do not overflow. The standard has no such type.
__extension__ using Wide = __int128;

constexpr std::uint64_t masked(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
constexpr std::int64_t as_signed(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<std::int64_t>(value)
                    : static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

class ValueSet {
public:
  static constexpr std::size_t kMostFew = 128;

  static ValueSet any() { return {}; }
  static ValueSet one(std::uint64_t value) { return ValueSet(value, 0, 0); }
  // `first` and `steps` further values at distance `step`, as words that wrap around.
  static ValueSet stepped(std::uint64_t first, std::uint64_t step, std::uint64_t steps) {
    return ValueSet(first, step, step == 0 ? 0 : steps);
  }
  // Returns any() if there are more than kMostFew.
  static ValueSet few(std::vector<std::uint64_t> values);

  bool is_any() const { return any_; }
  bool is_one() const { return !any_ && steps_ == 0 && few_.empty(); }
  bool is_stepped() const { return !any_ && few_.empty(); } // also true for is_one()
  std::uint64_t first() const { return first_; }
  std::uint64_t step() const { return step_; }
  std::uint64_t steps() const { return steps_; }

  // Returns all values, ascending. nullopt: they are more than kMostFew, or any.
  std::optional<std::vector<std::uint64_t>> listed(unsigned bits) const;
  // Returns the largest value as an unsigned number; nullopt: not known.
  std::optional<std::uint64_t> largest(unsigned bits) const;

  bool operator==(const ValueSet&) const = default;

private:
  ValueSet() = default;
  ValueSet(std::uint64_t first, std::uint64_t step, std::uint64_t steps)
      : any_(false), first_(first), step_(step), steps_(steps) {}

  bool any_ = true;
  std::uint64_t first_ = 0, step_ = 0, steps_ = 0;
  std::vector<std::uint64_t> few_; // ascending, at least two
};

enum class Operator {
  Add,
  Multiply,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  Divide,
  DivideSigned,
  Remainder,
  RemainderSigned,
  Least,
  Most,
  LeastSigned,
  MostSigned,
  Equal,
  Unequal,
  Less,
  LessOrEqual,
  LessSigned,
  LessOrEqualSigned
};

// Return supersets of the operation's results. Operands have `bits` bits; comparisons return one
// bit.
ValueSet applied(Operator what, const ValueSet& left, const ValueSet& right, unsigned bits);
ValueSet truncated(const ValueSet& value, unsigned bits); // to `bits` bits
ValueSet extended(const ValueSet& value, unsigned from, bool is_signed, unsigned to);
ValueSet joined(const ValueSet& left, const ValueSet& right, unsigned bits);

} // namespace gputest::memory
