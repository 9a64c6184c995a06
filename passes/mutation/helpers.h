// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C functions that mutants.cl needs only for some types and operators.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gputest::passes::mutation {

class Helpers {
public:
  // The functions below return names of OpenCL C functions, and put these into text(). Each comment
  // begins with the parameters of the OpenCL C function.
  //
  // (gputest, divisor, guard): the divisor, or 1 where a component of it is 0. `type` is an integer
  // type.

  std::string divisor(const std::string& type);

  // (gputest, smallest, divisor, guard): the same. It also gives 1 for -1 if `smallest` says that
  // the dividend is the smallest number of its type. `type`: int or long.
  std::string signed_divisor(const std::string& type);
  static bool is_signed(const std::string& type);
  static std::string smallest(const std::string& type); // the smallest number of `type`

  // (gputest, first, count, codes, site, guard, a, b): `operation` on two scalars of `type`, or the
  // operation of the active mutant. Comparisons take no guard. The lowest nibble of `codes` is
  // code_of(operation), and the nibbles above it are the mutants'.
  std::string binary(const std::string& type, const std::string& operation, bool comparison);

  // (state, which, codes, site, guard, shift_mask, a, b): a mutant's value for two scalars of
  // `type`. The result is wider and is converted back. shift_mask() is that of the type that is
  // shifted.
  std::string rare(const std::string& type);
  static unsigned shift_mask(const std::string& type);

  // (state, which, codes, site, x, a, b): a mutant's value in place of x + a * b, or with `first`
  // in place of a * b + x, for floating-point `type`. The lowest kBitsOfSum bits of `codes` are
  // code_of_sum() of the original, and those above it are the mutants'.
  std::string rare_sum(const std::string& type, bool first);
  static constexpr unsigned kBitsOfSum = 5, kMostOfSum = 64 / kBitsOfSum - 1;
  // The code of `sum` with `product`; nullopt if no mutant computes that. `sum`: + - * / or =,
  // which means the product alone.
  static std::optional<std::uint64_t> code_of_sum(const std::string& sum,
                                                  const std::string& product);
  static bool is_real(std::string_view type);

  // The nibble for an operator; 0 for others. "=": the second operand.
  static unsigned code_of(const std::string& operation, bool comparison);
  // Returns `codes` for an `a` of a signed type that all operators but shifts convert to an
  // unsigned type.
  static std::uint64_t with_signed_shifts(std::uint64_t codes);

  // The definitions, in an order that compiles.
  std::string text() const;

private:
  std::set<std::string> divisors_, signed_divisors_;
  std::set<std::string> slow_; // "arithmetic long", "comparison float", "and_product float"
  std::set<std::string> binaries_;
  bool half_ = false, double_ = false;
  void note_type(const std::string& type);
};

} // namespace gputest::passes::mutation
