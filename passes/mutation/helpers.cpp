// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/helpers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::passes::mutation {
namespace {

constexpr std::array<std::string_view, 12> kArithmetic{"",  "+", "-", "*",  "/",  "%",
                                                       "&", "|", "^", "<<", ">>", "="};
constexpr std::array<std::string_view, 5> kSums{"+", "-", "*", "/", "="};
constexpr std::array<std::string_view, 4> kProducts{"*", "/", "+", "-"};
constexpr unsigned kSignedShift = kArithmetic.size(); // to the right
constexpr std::array<std::string_view, 7> kComparisons{"", "<", ">", "==", "<=", ">=", "!="};
constexpr std::array<std::string_view, 11> kNames{"",    "add", "sub", "mul", "div", "rem",
                                                  "and", "or",  "xor", "shl", "shr"};
constexpr std::array<std::string_view, 7> kComparisonNames{"", "lt", "gt", "eq", "le", "ge", "ne"};

unsigned bits_of(std::string_view type) {
  return type == "long" || type == "ulong" ? 63 : 31;
}

// The type in which mutants of `type` are computed. It is wide enough to give the same as `type`
// after conversion.
std::string wide(const std::string& type) {
  return Helpers::is_real(type) ? type : type == "uint" || type == "ulong" ? "ulong" : "long";
}

bool is_vector(std::string_view type) {
  return type.back() >= '0' && type.back() <= '9';
}

std::string divisor_text(const std::string& type) {
  const bool vector = is_vector(type);
  return fmt::format("GPUTEST_STATIC {0} gputest_divisor_{0}(const gputest_context* gputest, {0} "
                     "divisor, uint guard) {{\n"
                     "  if ({1}) {{\n"
                     "    gputest_report(gputest->state, GPUTEST_EVENT_DIVISION, guard);\n"
                     "    return {2};\n"
                     "  }}\n"
                     "  return divisor;\n"
                     "}}\n",
                     type, vector ? fmt::format("any(divisor == ({})(0))", type) : "divisor == 0",
                     vector ? fmt::format("select(divisor, ({0})(1), divisor == ({0})(0))", type)
                            : "1");
}

// One comparison separates most divisors from the two that need more checks.
std::string signed_divisor_text(const std::string& type) {
  return fmt::format(
      "GPUTEST_STATIC {0} gputest_signed_divisor_{0}(const gputest_context* gputest, int "
      "smallest, {0} divisor, "
      "uint guard) {{\n"
      "  if ((u{0})divisor + 1 <= 1 && (divisor == 0 || smallest)) {{\n"
      "    gputest_report(gputest->state, GPUTEST_EVENT_DIVISION, guard);\n"
      "    return 1;\n"
      "  }}\n"
      "  return divisor;\n"
      "}}\n",
      type);
}

std::string slow_arithmetic(const std::string& type) {
  const bool real = Helpers::is_real(type);
  std::string cases;
  for (unsigned i = 1; i < kArithmetic.size(); ++i) {
    const std::string_view operation = kArithmetic[i];
    if (operation == "=") {
      cases += fmt::format("  case {}:\n    return b;\n", i);
      continue;
    }
    if (real && i > 4)
      continue;
    const std::string b =
        real || i < 4 ? "b"
        : operation == "/" || operation == "%"
            ? type == "long"
                  ? "gputest_signed_divisor_long(&context, a == (long)(~0ul << bits), b, guard)"
                  : fmt::format("gputest_divisor_{}(&context, b, guard)", type)
        : operation == "<<" || operation == ">>" ? "(b & bits)"
                                                 : "b";
    cases += fmt::format("  case {}:\n    return a {} {};\n", i, operation, b);
  }
  if (type == "ulong")
    cases +=
        fmt::format("  case {}:\n    return bits == 31 ? (ulong)(as_int((uint)a) >> (b & bits)) "
                    ": (ulong)(as_long(a) >> (b & bits));\n",
                    kSignedShift);
  // `bits`: the width of the type in which shifts are done, minus one.
  return fmt::format("GPUTEST_RARE {0} gputest_rare_{0}(__global uint* state, uint which, ulong "
                     "codes, uint site,\n"
                     "                                uint guard, uint bits, {0} a, {0} b) {{\n{2}"
                     "  switch (gputest_choice(state, which, site, codes)) {{\n{1}"
                     "  }}\n  return a;\n}}\n",
                     type, cases, real ? "" : "  const gputest_context context = {state};\n");
}

std::string slow_comparison(const std::string& type) {
  std::string cases;
  for (unsigned i = 1; i < kComparisons.size(); ++i)
    cases += fmt::format("  case {}:\n    return a {} b;\n", i, kComparisons[i]);
  return fmt::format(
      "GPUTEST_RARE int gputest_rare_comparison_{0}(__global uint* state, uint which, ulong codes, "
      "uint site,\n                                {0} a, {0} b) {{\n"
      "  switch (gputest_choice(state, which, site, codes)) {{\n{1}"
      "  }}\n  return 0;\n}}\n",
      type, cases);
}

std::string_view sum_name(bool first) {
  return first ? "product_and" : "and_product";
}

// Compilers fuse only a sum with the product itself into one instruction.
std::string slow_sum(const std::string& type, bool first) {
  const auto sum_of = [&](std::string_view sum, std::string_view product) {
    return first ? fmt::format("{} {} x", product, sum) : fmt::format("x {} {}", sum, product);
  };
  std::string fused, products, sums;
  for (const std::string sum : {"+", "-"})
    fused += fmt::format("  case {}:\n    return {};\n", Helpers::code_of_sum(sum, "*").value_or(0),
                         sum_of(sum, "a * b"));
  for (std::size_t i = 0; i < kProducts.size(); ++i)
    products += fmt::format("  case {}:\n    product = a {} b;\n    break;\n", i, kProducts[i]);
  for (std::size_t i = 0; i < kSums.size() && kSums[i] != "="; ++i)
    sums += fmt::format("  case {}:\n    return {};\n", i, sum_of(kSums[i], "product"));
  return fmt::format(
      "GPUTEST_RARE {0} gputest_rare_{1}_{0}(__global uint* state, uint which, ulong codes, uint "
      "site,\n                                {0} x, {0} a, {0} b) {{\n"
      "  const uint shift = gputest_pick(state, site) ? {2} * (which + 1) : 0;\n"
      "  const uint code = codes >> shift & {3};\n  {0} product = a;\n"
      "  switch (code) {{\n{5}  }}\n  switch (code % {4}) {{\n{6}  }}\n"
      "  switch (code / {4}) {{\n{7}  }}\n  return product;\n}}\n",
      type, sum_name(first), Helpers::kBitsOfSum, (1u << Helpers::kBitsOfSum) - 1, kProducts.size(),
      fused, products, sums);
}

} // namespace

bool Helpers::is_real(std::string_view type) {
  return type == "float" || type == "double" || type == "half";
}

void Helpers::note_type(const std::string& type) {
  half_ |= type.starts_with("half");
  double_ |= type.starts_with("double");
}

std::string Helpers::divisor(const std::string& type) {
  divisors_.insert(type);
  return "gputest_divisor_" + type;
}

std::string Helpers::signed_divisor(const std::string& type) {
  signed_divisors_.insert(type);
  return "gputest_signed_divisor_" + type;
}

bool Helpers::is_signed(const std::string& type) {
  return type == "int" || type == "long";
}

std::string Helpers::smallest(const std::string& type) {
  return type == "int" ? "(-0x7fffffff - 1)" : "(-0x7fffffffffffffffL - 1)";
}

unsigned Helpers::code_of(const std::string& operation, bool comparison) {
  if (comparison) {
    for (unsigned i = 1; i < kComparisons.size(); ++i)
      if (kComparisons[i] == operation)
        return i;
    return 0;
  }
  for (unsigned i = 1; i < kArithmetic.size(); ++i)
    if (kArithmetic[i] == operation)
      return i;
  return 0;
}

std::uint64_t Helpers::with_signed_shifts(std::uint64_t codes) {
  static_assert(kSignedShift < 16);
  const std::uint64_t right = code_of(">>", false);
  for (unsigned at = 0; at < 64; at += 4)
    if ((codes >> at & 15) == right)
      codes ^= (right ^ std::uint64_t{kSignedShift}) << at;
  return codes;
}

std::string Helpers::rare(const std::string& type) {
  note_type(type);
  const std::string slow = wide(type);
  slow_.insert("arithmetic " + slow);
  if (is_signed(slow))
    signed_divisors_.insert(slow);
  else if (!is_real(slow))
    divisors_.insert(slow);
  return "gputest_rare_" + slow;
}

std::string Helpers::rare_sum(const std::string& type, bool first) {
  note_type(type);
  slow_.insert(fmt::format("{} {}", sum_name(first), type));
  return fmt::format("gputest_rare_{}_{}", sum_name(first), type);
}

std::optional<std::uint64_t> Helpers::code_of_sum(const std::string& sum,
                                                  const std::string& product) {
  const auto outer = std::ranges::find(kSums, sum), inner = std::ranges::find(kProducts, product);
  if (outer == kSums.end() || inner == kProducts.end())
    return std::nullopt;
  return (outer - kSums.begin()) * kProducts.size() + (inner - kProducts.begin());
}

std::string Helpers::binary(const std::string& type, const std::string& operation,
                            bool comparison) {
  note_type(type);
  const std::string slow = wide(type);
  const unsigned code = code_of(operation, comparison);
  const std::string name =
      fmt::format("gputest_{}_{}", type, comparison ? kComparisonNames[code] : kNames[code]);
  const std::string parameters = fmt::format("const gputest_context* gputest, uint first, uint "
                                             "count, ulong codes, uint site, {}{} a, {} b",
                                             comparison ? "" : "uint guard, ", type, type);
  std::string choice;
  if (comparison) {
    slow_.insert("comparison " + slow);
    choice = fmt::format(
        "gputest_rare_comparison_{}(gputest->state, GPUTEST_WHICH(first), codes, site, a, b)",
        slow);
  } else {
    choice =
        fmt::format("({}){}(gputest->state, GPUTEST_WHICH(first), codes, site, guard, {}, a, b)",
                    type, rare(type), bits_of(type));
  }
  const bool divides = !comparison && (operation == "/" || operation == "%") && !is_real(type);
  binaries_.insert(fmt::format(
      "GPUTEST_STATIC {} {}({}) {{\n  return GPUTEST_IN(first, count) ? {} : a {} {};\n}}\n",
      comparison ? "int" : type, name, parameters, choice, operation,
      !divides ? "b"
      : is_signed(type)
          ? fmt::format("{}(gputest, a == {}, b, guard)", signed_divisor(type), smallest(type))
          : divisor(type) + "(gputest, b, guard)"));
  return name;
}

unsigned Helpers::shift_mask(const std::string& type) {
  return bits_of(type);
}

std::string Helpers::text() const {
  std::string result;
  if (half_)
    result += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  if (double_)
    result += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  for (const std::string& type : divisors_)
    result += divisor_text(type);
  for (const std::string& type : signed_divisors_)
    result += signed_divisor_text(type);
  for (const std::string& entry : slow_) {
    const std::string type = entry.substr(entry.find(' ') + 1);
    result += entry.starts_with("arithmetic")   ? slow_arithmetic(type)
              : entry.starts_with("comparison") ? slow_comparison(type)
                                                : slow_sum(type, entry.starts_with("product"));
  }
  for (const std::string& text : binaries_)
    result += text;
  return result;
}

} // namespace gputest::passes::mutation
