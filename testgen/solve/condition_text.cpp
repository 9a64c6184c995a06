// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/condition_text.h"

#include "testgen/solve/c_operators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

namespace gputest::testgen {
namespace {

bool is_unsigned_comparison(Op op) {
  return op == Op::ULess || op == Op::ULessEqual;
}

class Printer {
public:
  Printer(const Table& table, const Vocabulary& words, unsigned depth)
      : table_(table), words_(words), depth_(depth) {}

  // Operands of an operation with the precedence `outside` are in brackets if theirs is lower.
  std::string print(Label label, unsigned outside, bool floating = false) {
    const Node& node = table_[label];
    if (node.op == Op::Constant)
      return number(node, floating);
    if (node.op == Op::Input)
      return node.number < words_.names.size() ? words_.names[node.number] : "…";
    if (extends_in_c(node))
      return print_as(node.a, node.op == Op::ZExt, outside);
    if (depth_ == 0)
      return "…";
    --depth_;
    auto [text, precedence] = operation(node, floating);
    ++depth_;
    return precedence < outside ? "(" + text + ")" : text;
  }

private:
  using Shown = std::pair<std::string, Precedence>;

  bool is_number(Label label, std::uint64_t number) const {
    return table_[label].op == Op::Constant && table_[label].number == number;
  }

  static std::string number(const Node& node, bool floating) {
    if (floating && node.bits == 32)
      return number(std::bit_cast<float>(static_cast<std::uint32_t>(node.number)), "f");
    if (floating && node.bits == 64)
      return number(std::bit_cast<double>(node.number), "");
    return node.bits < 32 ? fmt::format("{}", node.number)
                          : fmt::format("{}", sign_extended(node.number, node.bits));
  }

  template <typename Float> static std::string number(Float value, const char* suffix) {
    if (std::isnan(value))
      return "NAN";
    if (std::isinf(value))
      return value < 0 ? "-INFINITY" : "INFINITY";
    const std::string text = fmt::format("{}", value);
    return text + (text.find_first_of(".e") == std::string::npos ? ".0" : "") + suffix;
  }

  // Whether C extends the operand without a word, once that has the right sign.
  bool extends_in_c(const Node& node) const {
    return (node.op == Op::ZExt || (node.op == Op::SExt && table_[node.a].bits != 1)) &&
           (table_[node.a].bits == 1 || type_of(table_[node.a].bits, true));
  }

  static const char* type_of(unsigned bits, bool is_unsigned) {
    switch (bits) {
    case 8:
      return is_unsigned ? "uchar" : "char";
    case 16:
      return is_unsigned ? "ushort" : "short";
    case 32:
      return is_unsigned ? "unsigned" : "int";
    case 64:
      return is_unsigned ? "ulong" : "long";
    default:
      return nullptr;
    }
  }

  enum class Sign { Any, Signed, Unsigned }; // Any: of a number that fits both

  // The sign of the type that C gives to what is printed.
  Sign sign_of(Label label, unsigned depth = 12) const {
    const Node& node = table_[label];
    if (node.op == Op::Constant)
      return sign_extended(node.number, node.bits) >= 0 ? Sign::Any : Sign::Signed;
    if (node.op == Op::Input)
      return node.number < words_.naturals.size() && words_.naturals[node.number] ? Sign::Unsigned
                                                                                  : Sign::Signed;
    if (extends_in_c(node)) // to 32 bits, C makes an int of a narrower type
      return table_[node.a].bits == 32 && node.op == Op::ZExt ? Sign::Unsigned : Sign::Signed;
    if (depth == 0)
      return Sign::Signed;
    const auto either = [&](Label a, Label b) { // an unsigned operand makes C's result unsigned
      return sign_of(a, depth - 1) == Sign::Unsigned || sign_of(b, depth - 1) == Sign::Unsigned
                 ? Sign::Unsigned
                 : Sign::Signed;
    };
    switch (node.op) {
    case Op::UDiv:
    case Op::URem:
    case Op::LShr:
    case Op::FToU:
      return Sign::Unsigned;
    case Op::Shl:
      return sign_of(node.a, depth - 1);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::And:
    case Op::Or:
    case Op::Xor:
      return either(node.a, node.b);
    case Op::Select:
      return either(node.b, node.c);
    default:
      return Sign::Signed;
    }
  }

  // The width of the type that C gives to what is printed.
  unsigned printed_bits(Label label) const {
    const Node& node = table_[label];
    if (extends_in_c(node))
      return std::max(32U, printed_bits(node.a));
    if (node.op == Op::Constant && node.bits == 64)
      return sign_extended(node.number, 64) == static_cast<std::int32_t>(node.number) ? 32 : 64;
    return node.bits;
  }

  // Prints a value in a type of this sign. A cast that is there anyhow gets it.
  std::string print_as(Label label, bool is_unsigned, unsigned outside) {
    const Node& node = table_[label];
    if (node.op == Op::Constant && is_unsigned && node.bits >= 32)
      return std::to_string(node.number);
    const Sign sign = sign_of(label);
    const char* const type = type_of(node.bits, is_unsigned);
    if (sign == Sign::Any || (sign == Sign::Unsigned) == is_unsigned || !type)
      return print(label, outside);
    if (depth_ == 0)
      return "…";
    const bool is_cut = node.op == Op::Trunc || (node.op == Op::Extract && node.number == 0);
    const std::string text = fmt::format("({}){}", type, print(is_cut ? node.a : label, kUnary));
    return outside > kUnary ? "(" + text + ")" : text;
  }

  Shown operation(const Node& node, bool floating) {
    if (node.op == Op::Xor && node.bits == 1 && is_number(node.b, 1))
      return negation(node.a);
    if (opposite_of(node.op) || node.op == Op::FLess || node.op == Op::FLessEqual)
      return comparison(node, infix_of(node)->sign);
    if (const auto infix = infix_of(node)) {
      Shown shown = between(node, *infix);
      if (is_arithmetic(node.op) && (node.bits == 8 || node.bits == 16)) // an int in C
        shown = {fmt::format("({})({})", type_of(node.bits, true), shown.first), kUnary};
      return shown;
    }
    switch (node.op) {
    case Op::SExt: // of a decision
      return {"-" + print(node.a, kUnary), kUnary};
    case Op::FNeg:
      return {"-" + print(node.a, kUnary, true), kUnary};
    case Op::Select:
      return choice(node, floating);
    case Op::Extract:
      return extract(node);
    case Op::Trunc:
      return cast(node.bits, node.a);
    case Op::Concat:
      return {fmt::format("{} << {} | {}", print(node.a, kSum), table_[node.b].bits,
                          print(node.b, kBitXor)),
              kBitOr};
    case Op::FToS:
    case Op::FToU: {
      const char* const type = type_of(node.bits, node.op == Op::FToU);
      return {fmt::format("({}){}", type ? type : "…", print(node.a, kUnary, true)), kUnary};
    }
    case Op::SToF:
    case Op::UToF:
    case Op::FExt:
    case Op::FRoundTo:
      return {fmt::format("({}){}", node.bits == 32 ? "float" : "double",
                          print(node.a, kUnary, takes_floating(node.op))),
              kUnary};
    default:
      return call(node);
    }
  }

  Shown between(const Node& node, const Infix& infix) {
    const bool floating = takes_floating(node.op);
    if (node.op == Op::Sub && is_number(node.a, 0))
      return {"-" + print(node.b, kUnary), kUnary};
    if (node.op == Op::UDiv || node.op == Op::URem || node.op == Op::SDiv || node.op == Op::SRem) {
      const bool is_unsigned = node.op == Op::UDiv || node.op == Op::URem;
      const bool is_right = is_unsigned && sign_of(node.b) == Sign::Unsigned;
      return {
          fmt::format("{} {} {}",
                      is_right ? print(node.a, kProduct) : print_as(node.a, is_unsigned, kProduct),
                      infix.sign,
                      is_unsigned ? print(node.b, kUnary) : print_as(node.b, false, kUnary)),
          kProduct};
    }
    if (node.op == Op::LShr || node.op == Op::AShr)
      return {fmt::format("{} >> {}", print_as(node.a, node.op == Op::LShr, kShift),
                          print(node.b, kSum)),
              kShift};
    const Node& right = table_[node.b];
    if (node.op == Op::Add && right.op == Op::Constant && right.bits >= 32 &&
        sign_extended(right.number, right.bits) < 0) // x + -1
      return {fmt::format("{} - {}", print(node.a, kSum),
                          0 - static_cast<std::uint64_t>(sign_extended(right.number, right.bits))),
              kSum};
    // C computes in the wider of the printed types.
    const bool is_narrow = is_arithmetic(node.op) && node.bits == 64 && printed_bits(node.a) < 64 &&
                           printed_bits(node.b) < 64;
    const std::string left =
        is_narrow ? "(long)" + print(node.a, kUnary) : print(node.a, infix.precedence, floating);
    return {fmt::format("{} {} {}", left, infix.sign,
                        print(node.b, infix.precedence + (infix.precedence > kAnd), floating)),
            infix.precedence};
  }

  static bool is_arithmetic(Op op) {
    return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Shl;
  }

  Shown negation(Label of) {
    const Node& node = table_[of];
    if (const char* const sign = opposite_of(node.op))
      return comparison(node, sign);
    return {"!" + print(of, kUnary), kUnary};
  }

  // A number comes last.
  Shown comparison(const Node& node, std::string sign) {
    Label a = node.a, b = node.b;
    if (table_[a].op == Op::Constant && table_[b].op != Op::Constant) {
      std::swap(a, b);
      sign = mirrored(sign);
    }
    const Precedence precedence =
        sign[1] == '=' && sign[0] != '<' && sign[0] != '>' ? kEqual : kLess;
    const auto shown = [&](const std::string& left, const std::string& right) {
      return Shown{fmt::format("{} {} {}", left, sign, right), precedence};
    };
    if (is_unsigned_comparison(node.op)) { // one operand of an unsigned type makes it one
      const bool is_right = sign_of(b) == Sign::Unsigned && printed_bits(b) >= printed_bits(a);
      return shown(is_right ? print(a, kShift) : print_as(a, true, kShift),
                   table_[b].op == Op::Constant ? std::to_string(table_[b].number)
                                                : print(b, kShift));
    }
    if (node.op == Op::SLess || node.op == Op::SLessEqual)
      return shown(print_as(a, false, kShift), print_as(b, false, kShift));
    const bool floating = takes_floating(node.op);
    return shown(print(a, kShift, floating), print(b, kShift, floating));
  }

  // A question mark would look as if something were not known.
  Shown choice(const Node& node, bool floating) {
    const Node& condition = table_[node.a];
    const bool compares = condition.op == Op::SLess || condition.op == Op::ULess;
    if (compares && ((condition.a == node.b && condition.b == node.c) ||
                     (condition.a == node.c && condition.b == node.b)))
      return {fmt::format("{}({}, {})", condition.a == node.b ? "min" : "max",
                          print_as(condition.a, condition.op == Op::ULess, kChoice),
                          print_as(condition.b, condition.op == Op::ULess, kChoice)),
              kPrimary};
    return {fmt::format("{} if {} else {}", print(node.b, kOr, floating), print(node.a, kOr),
                        print(node.c, kOr, floating)),
            kChoice};
  }

  Shown cast(unsigned bits, Label of) {
    if (const char* const type = type_of(bits, false))
      return {fmt::format("({}){}", type, print(of, kUnary)), kUnary};
    return {fmt::format("{} & {}", print(of, kEqual), cut(~std::uint64_t{0}, bits)), kBitAnd};
  }

  Shown extract(const Node& node) {
    if (node.number == 0)
      return cast(node.bits, node.a);
    return {fmt::format("{} >> {} & {}", print(node.a, kSum), node.number,
                        cut(~std::uint64_t{0}, node.bits)),
            kBitAnd};
  }

  Shown call(const Node& node) {
    std::string name = "f";
    if (const char* const known = function_of(node.op))
      name = known;
    else if (words_.functions && node.number < words_.functions->all.size())
      name = words_.functions->all[node.number].name;
    std::string types = name; // "pow(float,float)"
    name = name.substr(0, name.find('('));
    types.erase(0, name.size() + 1);
    std::string operands;
    for (const Label operand : {node.a, node.b, node.c})
      if (operand) {
        const std::string type = types.substr(0, types.find(','));
        types.erase(0, type.size() + 1);
        const bool floating = takes_floating(node.op) || type.find("float") != std::string::npos ||
                              type.find("double") != std::string::npos;
        operands += (operands.empty() ? "" : ", ") + print(operand, kChoice, floating);
      }
    return {fmt::format("{}({})", name, operands), kPrimary};
  }

  const Table& table_;
  const Vocabulary& words_;
  unsigned depth_; // of operations that may still be printed
};

constexpr unsigned kDeepest = 9, kShallowest = 2; // operations within one another

// The text of as much as has at most `most` characters.
template <typename OfDepth> std::string fitting(const OfDepth& of_depth, std::size_t most) {
  std::string text;
  for (unsigned depth = kDeepest; depth >= kShallowest; --depth) {
    text = of_depth(depth);
    if (text.size() <= most)
      break;
  }
  return text;
}

std::optional<std::uint64_t> constant_with(Table& table, Label root, Label part,
                                           std::uint64_t value) {
  const Label label = replaced(table, root, {{part, table.constant(value, 1)}});
  if (!label || table[label].op != Op::Constant)
    return std::nullopt;
  return table[label].number;
}

} // namespace

Label plain_condition(Table& table, Label condition) {
  // By label: the one decision that it tells of, or kMany; a number tells of none.
  constexpr Label kMany = ~Label{0};
  std::map<Label, Label> tells{{0, 0}}, plain{{0, 0}};
  for (const Label part : parts_of(table, std::span(&condition, 1))) {
    const Node node = table[part];
    Label one = node.op == Op::Input ? kMany : 0;
    for (const Label operand : {node.a, node.b, node.c})
      if (const Label other = tells.at(operand))
        one = one == 0 || one == other ? other : kMany;
    Label result = node.op == Op::Input || node.op == Op::Constant
                       ? part
                       : table.make(node.op, node.bits, plain.at(node.a), plain.at(node.b),
                                    plain.at(node.c), node.number);
    if (!result)
      return 0;
    if (node.bits == 1 && one != 0 && one != kMany) {
      const auto with_0 = constant_with(table, part, one, 0),
                 with_1 = constant_with(table, part, one, 1);
      if (with_0 && with_1)
        result = *with_0 == *with_1 ? table.constant(*with_0, 1)
                 : *with_1          ? plain.at(one)
                                    : table.negation(plain.at(one));
    }
    if (table.full())
      return 0;
    plain[part] = result;
    tells[part] = node.bits == 1 && node.op != Op::Constant ? part : one;
  }
  return plain.at(condition);
}

std::vector<Label> conjuncts_of(const Table& table, Label condition) {
  std::vector<Label> found, work{condition};
  while (!work.empty()) {
    const Label label = work.back();
    work.pop_back();
    const Node& node = table[label];
    if (node.op == Op::And && node.bits == 1) {
      work.insert(work.end(), {node.b, node.a});
    } else if (std::ranges::find(found, label) == found.end()) {
      found.push_back(label);
    }
  }
  return found;
}

std::string text_of_conditions(const Table& table, std::span<const Label> conditions,
                               const Vocabulary& words, std::size_t most) {
  const auto text_of = [&](std::size_t count, unsigned depth) {
    std::string text;
    for (const Label condition : conditions.first(count))
      text += (text.empty() ? "" : " && ") +
              Printer(table, words, depth).print(condition, conditions.size() > 1 ? kAnd : kChoice);
    return text + (count < conditions.size() ? " && …" : "");
  };
  std::string text =
      fitting([&](unsigned depth) { return text_of(conditions.size(), depth); }, most);
  for (std::size_t count = conditions.size(); text.size() > most && count-- > 1;)
    text = text_of(count, kShallowest);
  return text;
}

std::string text_of_value(const Table& table, Label value, const Vocabulary& words,
                          std::size_t most) {
  return fitting([&](unsigned depth) { return Printer(table, words, depth).print(value, 0); },
                 most);
}

} // namespace gputest::testgen
