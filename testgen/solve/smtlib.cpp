// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/smtlib.h"

#include "testgen/concolic/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gputest::testgen {
namespace {

const char* format_of(unsigned bits) {
  return bits == 32 ? "8 24" : "11 53";
}

class Writer {
public:
  Writer(const Table& table, Theory theory, Undefined undefined)
      : table_(table), theory_(theory), undefined_(undefined) {}

  Script write(const std::vector<Label>& conditions, const std::vector<Label>& doubts) {
    for (const Label condition : conditions)
      note_limit(condition);
    std::vector<Label> all = conditions;
    all.insert(all.end(), doubts.begin(), doubts.end());
    for (const Label part : parts_of(table_, all))
      define(part);
    for (const Label condition : all)
      hold(fmt::format("(= {} #b1)", bits(condition)));
    script_.question.doubts = doubts.size();
    script_.question.text = declarations_ + "(assert " + definitions_ + "(and true\n" + held_ +
                            ")" + std::string(defined_, ')') + ")\n";
    return std::move(script_);
  }

private:
  // Conditions such as x <= 4096 hold in every answer, so smaller circuits can compute with x.
  void note_limit(Label condition) {
    const Node& node = table_[condition];
    if ((node.op != Op::ULess && node.op != Op::ULessEqual) || table_[node.b].op != Op::Constant)
      return;
    const std::uint64_t most = table_[node.b].number;
    const auto known = limits_.try_emplace(node.a, most).first;
    known->second = std::min(known->second, most);
  }

  static std::uint64_t all_ones(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }

  // Returns an upper bound of a part, an unsigned number. Those of its operands are known.
  std::uint64_t most(Label label) const {
    const auto known = limits_.find(label);
    return known != limits_.end()             ? known->second
           : table_[label].op == Op::Constant ? table_[label].number
                                              : all_ones(table_[label].bits);
  }

  void bound(Label label, const Node& node) {
    std::uint64_t bound = all_ones(node.bits);
    switch (node.op) {
    case Op::ZExt:
      bound = most(node.a);
      break;
    case Op::And:
      bound = std::min(most(node.a), most(node.b));
      break;
    case Op::UDiv:
      bound = table_[node.b].op == Op::Constant && table_[node.b].number != 0
                  ? most(node.a) / table_[node.b].number
                  : bound;
      break;
    case Op::URem:
      bound = table_[node.b].op == Op::Constant && table_[node.b].number != 0
                  ? table_[node.b].number - 1
                  : bound;
      break;
    case Op::Trunc:
      bound = std::min(bound, most(node.a));
      break;
    default:
      return;
    }
    const auto known = limits_.try_emplace(label, bound).first;
    known->second = std::min(known->second, bound);
  }

  // The text of an unsigned division in as many bits as the operands need. A quotient by 0 has all
  // bits of the whole width.
  std::string divided(const Node& node, const char* name, const std::string& a,
                      const std::string& b) const {
    const std::uint64_t largest = std::max(most(node.a), most(node.b));
    const auto needed = std::max(1U, static_cast<unsigned>(std::bit_width(largest)));
    if (needed >= node.bits)
      return fmt::format("({} {} {})", name, a, b);
    const auto low = [&](const std::string& whole) {
      return fmt::format("((_ extract {} 0) {})", needed - 1, whole);
    };
    const std::string narrow =
        fmt::format("((_ zero_extend {}) ({} {} {}))", node.bits - needed, name, low(a), low(b));
    if (node.op == Op::URem)
      return narrow; // by 0: the dividend, in any width
    return fmt::format("(ite (= {} (_ bv0 {})) (_ bv{} {}) {})", b, node.bits, all_ones(node.bits),
                       node.bits, narrow);
  }

  // The bit vector of a part.
  std::string bits(Label label) {
    const Node& node = table_[label];
    if (node.op == Op::Constant)
      return fmt::format("(_ bv{} {})", node.number, node.bits);
    if (node.op == Op::Input)
      return fmt::format("u{}", node.number);
    // Bits that mean the floating-point number.
    if (numbers_.contains(label) && with_bits_.insert(label).second) {
      declare(label);
      hold(fmt::format("(= ((_ to_fp {}) n{}) f{})", format_of(node.bits), label, label));
    }
    return fmt::format("n{}", label);
  }

  std::string number(Label label) {
    if (numbers_.contains(label))
      return fmt::format("f{}", label);
    return fmt::format("((_ to_fp {}) {})", format_of(table_[label].bits), bits(label));
  }

  void declare(Label label) { declare('n', label, table_[label].bits); }

  void declare(char kind, std::uint64_t number, unsigned bits) {
    declarations_ += fmt::format("(declare-const {}{} (_ BitVec {}))\n", kind, number, bits);
  }

  void anything(Label label) { declare(label); }

  void hold(const std::string& what) { held_ += what + '\n'; }

  void define(char kind, Label label, const std::string& what) {
    definitions_ += fmt::format("(let (({}{} {}))\n", kind, label, what);
    ++defined_;
  }

  void is(Label label, const std::string& what) { define('n', label, what); }

  void is_number(Label label, const std::string& what) {
    numbers_.insert(label);
    define('f', label, what);
  }

  void is_condition(Label label, const std::string& what) {
    is(label, fmt::format("(ite {} #b1 #b0)", what));
  }

  void define(Label label) {
    const Node& node = table_[label];
    if (node.op == Op::Constant)
      return;
    if (node.op == Op::Input) {
      declare('u', node.number, node.bits);
      script_.question.names.push_back(fmt::format("u{}", node.number));
      return;
    }
    if (node.op == Op::Call)
      return anything(label);
    if (node.op >= Op::FAdd && node.op != Op::FNeg && node.op != Op::FAbs) {
      script_.floating = true;
      if (theory_ != Theory::FloatingPoint)
        return anything(label);
      return define_floating(label, node);
    }
    if (is_product(node)) {
      script_.products = true;
      if (theory_ == Theory::Linear)
        return any_product(label, node);
    }
    define_bits(label, node);
    bound(label, node);
  }

  // Circuits of these are large, and most conditions that cannot hold do not depend on them.
  bool is_product(const Node& node) const {
    const auto constant = [&](Label label) { return table_[label].op == Op::Constant; };
    switch (node.op) {
    case Op::Mul:
      return !constant(node.a) && !constant(node.b);
    case Op::UDiv:
    case Op::URem:
      return !constant(node.b) || !std::has_single_bit(table_[node.b].number);
    case Op::SDiv:
    case Op::SRem:
      return true;
    default:
      return false;
    }
  }

  // Any number, but no quotient is above the dividend, and no remainder above the divisor.
  void any_product(Label label, const Node& node) {
    anything(label);
    if (node.op == Op::UDiv)
      hold(fmt::format("(or (= {} (_ bv0 {})) (bvule n{} {}))", bits(node.b), node.bits, label,
                       bits(node.a)));
    else if (node.op == Op::URem)
      hold(
          fmt::format("(or (= {0} (_ bv0 {1})) (bvult n{2} {0}))", bits(node.b), node.bits, label));
  }

  void define_bits(Label label, const Node& node) {
    const std::string a = bits(node.a);
    const std::string b = node.b ? bits(node.b) : "";
    const unsigned from = table_[node.a].bits;
    const auto apply = [&](const char* name) { is(label, fmt::format("({} {} {})", name, a, b)); };
    const auto divide = [&](const char* name) {
      const bool is_unsigned = node.op == Op::UDiv || node.op == Op::URem;
      if (is_unsigned && table_[node.b].op == Op::Constant &&
          std::has_single_bit(table_[node.b].number)) {
        const std::uint64_t number = table_[node.b].number;
        return is(label, node.op == Op::UDiv
                             ? fmt::format("(bvlshr {} (_ bv{} {}))", a, std::countr_zero(number),
                                           node.bits)
                             : fmt::format("(bvand {} (_ bv{} {}))", a, number - 1, node.bits));
      }
      const std::string quotient =
          is_unsigned ? divided(node, name, a, b) : fmt::format("({} {} {})", name, a, b);
      if (!undefined_.quotients || table_[node.b].op == Op::Constant)
        return is(label, quotient);
      declare('z', label, node.bits);
      is(label, fmt::format("(ite (= {} (_ bv0 {})) z{} {})", b, node.bits, label, quotient));
    };
    const auto shift = [&](const char* name) {
      if (table_[node.b].op == Op::Constant && table_[node.b].number < node.bits)
        return apply(name);
      if (undefined_.shifts) {
        declare('z', label, node.bits);
        return is(label, fmt::format("(ite (bvult {} (_ bv{} {})) ({} {} {}) z{})", b, node.bits,
                                     node.bits, name, a, b, label));
      }
      is(label,
         std::has_single_bit(node.bits)
             ? fmt::format("({} {} (bvand {} (_ bv{} {})))", name, a, b, node.bits - 1, node.bits)
             : fmt::format("({} {} (bvurem {} (_ bv{} {})))", name, a, b, node.bits, node.bits));
    };
    const auto compare = [&](const char* name) {
      is_condition(label, fmt::format("({} {} {})", name, a, b));
    };
    switch (node.op) {
    case Op::Add:
      return apply("bvadd");
    case Op::Sub:
      return apply("bvsub");
    case Op::Mul:
      return apply("bvmul");
    case Op::UDiv:
      return divide("bvudiv");
    case Op::SDiv:
      return divide("bvsdiv");
    case Op::URem:
      return divide("bvurem");
    case Op::SRem:
      return divide("bvsrem");
    case Op::And:
      return apply("bvand");
    case Op::Or:
      return apply("bvor");
    case Op::Xor:
      return apply("bvxor");
    case Op::Shl:
      return shift("bvshl");
    case Op::LShr:
      return shift("bvlshr");
    case Op::AShr:
      return shift("bvashr");
    case Op::Equal:
      return compare("=");
    case Op::ULess:
      return compare("bvult");
    case Op::ULessEqual:
      return compare("bvule");
    case Op::SLess:
      return compare("bvslt");
    case Op::SLessEqual:
      return compare("bvsle");
    case Op::ZExt:
      return is(label, fmt::format("((_ zero_extend {}) {})", node.bits - from, a));
    case Op::SExt:
      return is(label, fmt::format("((_ sign_extend {}) {})", node.bits - from, a));
    case Op::Trunc:
      return is(label, fmt::format("((_ extract {} 0) {})", node.bits - 1, a));
    case Op::Extract:
      return is(label,
                fmt::format("((_ extract {} {}) {})", node.number + node.bits - 1, node.number, a));
    case Op::Concat:
      return apply("concat");
    case Op::Select:
      return is(label, fmt::format("(ite (= {} #b1) {} {})", a, b, bits(node.c)));
    case Op::FNeg:
      return is(label, fmt::format("(bvxor {} (_ bv{} {}))", a, std::uint64_t{1} << (node.bits - 1),
                                   node.bits));
    case Op::FAbs:
      return is(label, fmt::format("(bvand {} (_ bv{} {}))", a,
                                   (std::uint64_t{1} << (node.bits - 1)) - 1, node.bits));
    case Op::SwapBytes:
    case Op::ReverseBits: {
      const unsigned unit = node.op == Op::SwapBytes ? 8 : 1;
      std::string parts;
      for (unsigned low = 0; low < node.bits; low += unit)
        parts += fmt::format(" ((_ extract {} {}) {})", low + unit - 1, low, a);
      return is(label, fmt::format("(concat{})", parts));
    }
    case Op::CountOnes: {
      std::string sum;
      for (unsigned i = 0; i < node.bits; ++i)
        sum += fmt::format(" ((_ zero_extend {}) ((_ extract {} {}) {}))", node.bits - 1, i, i, a);
      return is(label, fmt::format("(bvadd{})", sum));
    }
    case Op::CountLeading:
    case Op::CountTrailing: { // the first bit that is set, from that end
      std::string text = fmt::format("(_ bv{} {})", node.bits, node.bits);
      for (unsigned i = node.bits; i-- > 0;) {
        const unsigned bit = node.op == Op::CountLeading ? node.bits - 1 - i : i;
        text = fmt::format("(ite (= ((_ extract {} {}) {}) #b1) (_ bv{} {}) {})", bit, bit, a, i,
                           node.bits, text);
      }
      return is(label, text);
    }
    default:
      return anything(label);
    }
  }

  void define_floating(Label label, const Node& node) {
    const auto a = [&] { return number(node.a); };
    const auto b = [&] { return number(node.b); };
    const auto rounded = [&](const char* name) {
      is_number(label, fmt::format("({} RNE {} {})", name, a(), b()));
    };
    const auto integral = [&](const char* mode) {
      is_number(label, fmt::format("(fp.roundToIntegral {} {})", mode, a()));
    };
    const auto compare = [&](const char* name) {
      is_condition(label, fmt::format("({} {} {})", name, a(), b()));
    };
    switch (node.op) {
    case Op::FAdd:
      return rounded("fp.add");
    case Op::FSub:
      return rounded("fp.sub");
    case Op::FMul:
      return rounded("fp.mul");
    case Op::FDiv:
      return rounded("fp.div");
    case Op::FSqrt:
      return is_number(label, fmt::format("(fp.sqrt RNE {})", a()));
    case Op::FFloor:
      return integral("RTN");
    case Op::FCeil:
      return integral("RTP");
    case Op::FTrunc:
      return integral("RTZ");
    case Op::FRint:
      return integral("RNE");
    case Op::FRound:
      return integral("RNA");
    case Op::FMulAdd:
      return is_number(label, fmt::format("(fp.fma RNE {} {} {})", a(), b(), number(node.c)));
    case Op::FEqual:
      return compare("fp.eq");
    case Op::FLess:
      return compare("fp.lt");
    case Op::FLessEqual:
      return compare("fp.leq");
    case Op::FUnordered:
      return is_condition(label, fmt::format("(or (fp.isNaN {}) (fp.isNaN {}))", a(), b()));
    case Op::FToS:
    case Op::FToU:
      return to_integer(label, node);
    case Op::SToF:
      return is_number(label,
                       fmt::format("((_ to_fp {}) RNE {})", format_of(node.bits), bits(node.a)));
    case Op::UToF:
      return is_number(
          label, fmt::format("((_ to_fp_unsigned {}) RNE {})", format_of(node.bits), bits(node.a)));
    case Op::FExt:
    case Op::FRoundTo:
      return is_number(label, fmt::format("((_ to_fp {}) RNE {})", format_of(node.bits), a()));
    default: // fmod; minimum and maximum of zeros
      return anything(label);
    }
  }

  // A result that does not fit may be anything.
  void to_integer(Label label, const Node& node) {
    declare(label);
    const bool with_sign = node.op == Op::FToS;
    const char* const format = format_of(table_[node.a].bits);
    const std::string x = number(node.a);
    const double half = std::ldexp(1.0, static_cast<int>(node.bits) - 1);
    hold(fmt::format(
        "(=> (and (fp.leq ((_ to_fp {}) RNE {}) {}) (fp.lt {} ((_ to_fp {}) RNE {:.1f}))) "
        "(= n{} ((_ fp.to_{}bv {}) RTZ {})))",
        format, with_sign ? fmt::format("(- {:.1f})", half) : "0.0", x, x, format,
        with_sign ? half : 2 * half, label, with_sign ? 's' : 'u', node.bits, x));
  }

  const Table& table_;
  Theory theory_;
  Undefined undefined_;
  // The text: variables, names of parts by `let`, and what holds. Z3 reads `define-fun` hundreds of
  // times as slowly, because it goes through a whole definition where its name occurs.
  std::string declarations_, definitions_, held_;
  std::size_t defined_ = 0;
  std::map<Label, std::uint64_t> limits_; // upper bounds
  std::set<Label> numbers_, with_bits_;
  Script script_;
};

} // namespace

Script script_of(const Table& table, const std::vector<Label>& conditions, Theory theory,
                 Undefined undefined, const std::vector<Label>& doubts) {
  return Writer(table, theory, undefined).write(conditions, doubts);
}

} // namespace gputest::testgen
