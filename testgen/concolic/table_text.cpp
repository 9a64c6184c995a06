// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of a table as text.
#include "testgen/concolic/evaluate.h"
#include "testgen/concolic/table.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace gputest::testgen {
namespace {

struct Notation {
  Op op;
  const char* text; // {a} {b} {c} {n} {bits}
};
constexpr Notation kNotations[] = {
    {Op::Add, "({a} + {b})"},
    {Op::Sub, "({a} - {b})"},
    {Op::Mul, "({a} * {b})"},
    {Op::UDiv, "({a} / {b})"},
    {Op::SDiv, "({a} s/ {b})"},
    {Op::URem, "({a} % {b})"},
    {Op::SRem, "({a} s% {b})"},
    {Op::And, "({a} & {b})"},
    {Op::Or, "({a} | {b})"},
    {Op::Xor, "({a} ^ {b})"},
    {Op::Shl, "({a} << {b})"},
    {Op::LShr, "({a} >> {b})"},
    {Op::AShr, "({a} s>> {b})"},
    {Op::Equal, "({a} == {b})"},
    {Op::ULess, "({a} < {b})"},
    {Op::ULessEqual, "({a} <= {b})"},
    {Op::SLess, "({a} s< {b})"},
    {Op::SLessEqual, "({a} s<= {b})"},
    {Op::ZExt, "{a}"},
    {Op::SExt, "sext({a})"},
    {Op::Trunc, "trunc{bits}({a})"},
    {Op::Extract, "{a}[{n}+:{bits}]"},
    {Op::Concat, "({a} : {b})"},
    {Op::Select, "({a} ? {b} : {c})"},
    {Op::CountOnes, "popcount({a})"},
    {Op::CountLeading, "clz({a})"},
    {Op::CountTrailing, "ctz({a})"},
    {Op::SwapBytes, "bswap({a})"},
    {Op::ReverseBits, "bitreverse({a})"},
    {Op::FAdd, "({a} + {b})"},
    {Op::FSub, "({a} - {b})"},
    {Op::FMul, "({a} * {b})"},
    {Op::FDiv, "({a} / {b})"},
    {Op::FRem, "fmod({a}, {b})"},
    {Op::FNeg, "-{a}"},
    {Op::FAbs, "fabs({a})"},
    {Op::FSqrt, "sqrt({a})"},
    {Op::FFloor, "floor({a})"},
    {Op::FCeil, "ceil({a})"},
    {Op::FTrunc, "trunc({a})"},
    {Op::FRint, "rint({a})"},
    {Op::FRound, "round({a})"},
    {Op::FMin, "fmin({a}, {b})"},
    {Op::FMax, "fmax({a}, {b})"},
    {Op::FMulAdd, "fma({a}, {b}, {c})"},
    {Op::FEqual, "({a} == {b})"},
    {Op::FLess, "({a} < {b})"},
    {Op::FLessEqual, "({a} <= {b})"},
    {Op::FUnordered, "isunordered({a}, {b})"},
    {Op::FToS, "int({a})"},
    {Op::FToU, "uint({a})"},
    {Op::SToF, "float({a})"},
    {Op::UToF, "float({a})"},
    {Op::FExt, "double({a})"},
    {Op::FRoundTo, "float({a})"},
};

bool is_one(const Node& node) {
  return node.op == Op::Constant && node.number == 1;
}

class Printer {
public:
  Printer(const Table& table, std::span<const std::string> names, std::size_t most)
      : table_(table), names_(names), most_(most) {}

  void print(Label label, bool floating) {
    if (text.size() > most_) {
      if (!text.ends_with("…"))
        text += "…";
      return;
    }
    const Node& node = table_[label];
    if (node.op == Op::Input) {
      text += node.number < names_.size() ? names_[node.number] : fmt::format("#{}", node.number);
      return;
    }
    if (node.op == Op::Constant) {
      if (floating && node.bits == 32)
        text += fmt::format("{}f", std::bit_cast<float>(static_cast<std::uint32_t>(node.number)));
      else if (floating && node.bits == 64)
        text += fmt::format("{}", std::bit_cast<double>(node.number));
      else
        text += fmt::format("{}", sign_extended(node.number, node.bits));
      return;
    }
    if (node.op == Op::Xor && node.bits == 1 && is_one(table_[node.b])) {
      text += "!";
      print(node.a, false);
      return;
    }
    if (node.op == Op::Call) {
      print_call(node);
      return;
    }
    const auto* const notation =
        std::ranges::find_if(kNotations, [&](const Notation& one) { return one.op == node.op; });
    const bool inner = takes_floating(node.op) || (floating && node.op == Op::Select);
    for (const char* at = notation->text; *at; ++at) {
      if (*at != '{') {
        text += *at;
        continue;
      }
      const char what = at[1];
      while (*at != '}')
        ++at;
      if (what == 'a')
        print(node.a, node.op != Op::Select && inner);
      else if (what == 'b' && at[-1] == 'b')
        print(node.b, inner);
      else if (what == 'b')
        text += std::to_string(node.bits);
      else if (what == 'c')
        print(node.c, inner);
      else
        text += std::to_string(node.number);
    }
  }

  std::string text;

private:
  void print_call(const Node& node) {
    text += fmt::format("f{}", node.number);
    const char* before = "("; // also of f(y, y)
    for (const Label operand : {node.a, node.b, node.c}) {
      if (!operand)
        break;
      text += std::exchange(before, ", ");
      print(operand, false);
    }
    text += ")";
  }

  const Table& table_;
  std::span<const std::string> names_;
  std::size_t most_;
};

} // namespace

std::string text_of(const Table& table, Label label, std::span<const std::string> names,
                    std::size_t most) {
  Printer printer(table, names, most);
  printer.print(label, false);
  return printer.text;
}

} // namespace gputest::testgen
