// OpenCL C functions that mutants.cl needs for some types and operators only.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gputest::passes::mutation {

class Helpers {
public:
  // Names of functions; they are in text() from then on.

  // (gputest, divisor, guard): the divisor, or 1 where a component of it is 0. `type` is of
  // integers.
  std::string divisor(const std::string& type);

  // (gputest, smallest, divisor, guard): the same, and 1 for -1 where `smallest` says that the
  // dividend is the smallest number of its type. `type`: int or long.
  std::string signed_divisor(const std::string& type);
  static bool is_signed(const std::string& type);
  static std::string smallest(const std::string& type); // that number

  // (gputest, first, count, codes, site, guard, a, b): `operation` of two scalars of `type`, or
  // that of the active mutant; comparisons take no guard. The lowest nibble of `codes` is
  // code_of(operation), those above it are the mutants'.
  std::string binary(const std::string& type, const std::string& operation, bool comparison);

  // (state, which, codes, site, guard, shift_mask, a, b): what a mutant makes of two scalars of
  // `type`; the result is wider and converted back. shift_mask(): of the type that is shifted.
  std::string rare(const std::string& type);
  static unsigned shift_mask(const std::string& type);

  // (state, which, codes, site, x, a, b): what a mutant makes of x + a * b, or where `first` of
  // a * b + x, of real numbers of `type`. The lowest kBitsOfSum bits of `codes` are code_of_sum()
  // of the original, those above it are the mutants'.
  std::string rare_sum(const std::string& type, bool first);
  static constexpr unsigned kBitsOfSum = 5, kMostOfSum = 64 / kBitsOfSum - 1;
  // Nothing for what no mutant makes of it. `sum`: + - * / or =, which is the product alone.
  static std::optional<std::uint64_t> code_of_sum(const std::string& sum,
                                                  const std::string& product);
  static bool is_real(std::string_view type);

  // The nibble that stands for an operator; 0 for others. "=": the second operand.
  static unsigned code_of(const std::string& operation, bool comparison);
  // `codes`, where `a` is of a signed type and converted to an unsigned one for all but shifts.
  static std::uint64_t with_signed_shifts(std::uint64_t codes);

  // Definitions, in an order that compiles.
  std::string text() const;

private:
  std::set<std::string> divisors_, signed_divisors_;
  std::set<std::string> slow_; // "arithmetic long", "comparison float", "and_product float"
  std::set<std::string> binaries_;
  bool half_ = false, double_ = false;
  void note_type(const std::string& type);
};

} // namespace gputest::passes::mutation
