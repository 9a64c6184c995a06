// Random expressions without kernels: what the table makes simpler keeps its value, and Z3 says of
// conditions what all inputs say.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/solver.h"

#include "testgen/concolic/evaluate.h"
#include "testgen/solve/condition_text.h"
#include "testgen/solve/smtlib.h"

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

using namespace gputest::testgen;

namespace {

using Inputs = std::vector<std::uint64_t>;

// Makes random expressions, of which small numbers and earlier ones are parts.
class RandomNodes {
public:
  RandomNodes(Table& table, std::uint64_t seed, bool numbers_alone)
      : table_(table), random_(seed), numbers_alone_(numbers_alone) {
    for (std::size_t i = 0; i < table.inputs(); ++i)
      add(table.input(i));
  }

  std::size_t pick(std::size_t count) { return random_() % count; }

  // What make() was asked for, and what it returned.
  struct Made {
    Node asked;
    Label label = 0;
  };
  Made one() {
    Node node = random_node();
    const Label label = table_.make(node.op, node.bits, node.a, node.b, node.c, node.number);
    add(label);
    return {node, label};
  }

  Label condition() {
    for (;;)
      if (const Made made = one();
          table_[made.label].bits == 1 && table_[made.label].op != Op::Constant && pick(3) == 0)
        return made.label;
  }

private:
  void add(Label label) { known_[table_[label].bits].push_back(label); }

  Label any(unsigned bits) {
    const auto known = known_.find(bits);
    if (known == known_.end() || pick(4) == 0)
      return table_.constant(pick(2) ? pick(10) - 2 : random_() >> pick(64), bits);
    const std::vector<Label>& labels = known->second; // mostly the latest
    return labels[labels.size() - 1 -
                  pick(pick(3) ? std::min<std::size_t>(labels.size(), 5) : labels.size())];
  }

  unsigned width() { return std::array{1U, 8U, 8U, 16U, 32U, 32U, 64U, 5U}[pick(8)]; }
  unsigned floating_width() { return pick(2) ? 32 : 64; }

  Node random_node() {
    const auto node = [&](Op op, unsigned bits, Label a, Label b = 0, Label c = 0,
                          std::uint64_t number = 0) {
      return Node{op, static_cast<std::uint8_t>(bits), a, b, c, number};
    };
    const unsigned bits = width();
    switch (pick(numbers_alone_ ? 9 : 13)) {
    case 0:
    case 1:
    case 2: {
      constexpr std::array kOps{Op::Add, Op::Sub, Op::Mul,  Op::And,  Op::Or,
                                Op::Xor, Op::Shl, Op::LShr, Op::AShr, Op::Xor};
      return node(kOps[pick(kOps.size())], bits, any(bits), any(bits));
    }
    case 3: { // C leaves a quotient by 0 undefined, and SMT-LIB defines another one than the table
      constexpr std::array kOps{Op::UDiv, Op::SDiv, Op::URem, Op::SRem};
      const Label by = table_.make(Op::Or, bits, any(bits), table_.constant(1, bits));
      return node(kOps[pick(kOps.size())], bits, any(bits), by);
    }
    case 4:
    case 5: {
      constexpr std::array kOps{Op::Equal, Op::ULess, Op::ULessEqual, Op::SLess, Op::SLessEqual};
      return node(kOps[pick(kOps.size())], 1, any(bits), any(bits));
    }
    case 6: {
      const unsigned from = width();
      if (bits > from)
        return node(pick(2) ? Op::ZExt : Op::SExt, bits, any(from));
      return pick(2) ? node(Op::Trunc, bits, any(from))
                     : node(Op::Extract, bits, any(from), 0, 0, pick(from - bits + 1));
    }
    case 7:
      if (const unsigned low = width(); bits + low <= 64)
        return node(Op::Concat, bits + low, any(bits), any(low));
      return node(Op::Select, bits, any(1), any(bits), any(bits));
    case 8: {
      constexpr std::array kOps{Op::CountOnes, Op::CountLeading, Op::CountTrailing,
                                Op::ReverseBits};
      if (pick(3) == 0)
        return bits % 16 == 0 ? node(Op::SwapBytes, bits, any(bits))
                              : node(kOps[pick(kOps.size())], bits, any(bits));
      return node(Op::Select, bits, any(1), any(bits), any(bits));
    }
    case 9:
    case 10: {
      constexpr std::array kOps{Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FRem,
                                Op::FMin, Op::FMax, Op::FNeg, Op::FAbs, Op::FSqrt};
      const unsigned wide = floating_width();
      const Op op = kOps[pick(kOps.size())];
      return op >= Op::FNeg && op <= Op::FSqrt ? node(op, wide, any(wide))
                                               : node(op, wide, any(wide), any(wide));
    }
    case 11: {
      constexpr std::array kOps{Op::FEqual, Op::FLess, Op::FLessEqual, Op::FUnordered};
      const unsigned wide = floating_width();
      return node(kOps[pick(kOps.size())], 1, any(wide), any(wide));
    }
    default:
      switch (pick(4)) {
      case 0:
        return node(pick(2) ? Op::FToS : Op::FToU, bits, any(floating_width()));
      case 1:
        return node(pick(2) ? Op::SToF : Op::UToF, floating_width(), any(bits));
      case 2:
        return node(Op::FExt, 64, any(32));
      default:
        return node(Op::FRoundTo, 32, any(64));
      }
    }
  }

  Table& table_;
  std::mt19937_64 random_;
  bool numbers_alone_;                           // no floating-point numbers
  std::map<unsigned, std::vector<Label>> known_; // by width
};

// The values of all nodes for some inputs, each computed when it is asked for.
class Values {
public:
  Values(const Table& table, const Inputs& inputs) : table_(table), inputs_(inputs) {}

  std::uint64_t of(Label label) {
    for (Label next = static_cast<Label>(known_.size()); next <= label; ++next)
      known_.push_back(next == 0 ? 0 : of(table_[next]));
    return known_[label];
  }
  std::uint64_t of(const Node& node) {
    if (node.op == Op::Input)
      return cut(inputs_[node.number], node.bits);
    if (node.op == Op::Constant)
      return node.number;
    return apply(node, table_[node.a].bits, of(node.a), of(node.b), of(node.c));
  }

private:
  const Table& table_;
  Inputs inputs_;
  std::vector<std::uint64_t> known_;
};

} // namespace

TEST_CASE("An expression has the same value after it was made simpler") {
  constexpr std::array<std::uint8_t, 6> kWidths{8, 8, 32, 1, 64, 16};
  for (const std::uint64_t seed : gputest::tests::random_seeds(40)) {
    std::mt19937_64 random(seed);
    Table table(kWidths);
    RandomNodes nodes(table, seed, seed % 2 != 0);
    std::vector<Values> values;
    for (unsigned i = 0; i < 6; ++i) {
      Inputs inputs;
      for (const std::uint8_t bits : kWidths)
        inputs.push_back(cut(i < 3 ? random() % 4 - 1 : random(), bits));
      values.emplace_back(table, inputs);
    }
    for (unsigned i = 0; i < 200; ++i) {
      const auto [asked, label] = nodes.one();
      INFO("seed " << seed << ", expression " << i << ", operation "
                   << static_cast<unsigned>(asked.op) << " of " << text_of(table, asked.a)
                   << " and " << (asked.b ? text_of(table, asked.b) : "") << ": "
                   << text_of(table, label));
      REQUIRE(table[label].bits == asked.bits);
      for (Values& one : values)
        REQUIRE(one.of(label) == one.of(asked));
      if (asked.bits != 1)
        continue;
      const Label plain = plain_condition(table, label);
      for (Values& one : values)
        REQUIRE(one.of(plain) == one.of(label));
    }
  }
}

TEST_CASE("Z3 says of random conditions what all inputs say", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  constexpr std::array<std::uint8_t, 2> kWidths{8, 8};
  std::size_t possible = 0, impossible = 0;
  Z3Process z3;
  for (const std::uint64_t seed : gputest::tests::random_seeds(30)) {
    Table table(kWidths);
    RandomNodes nodes(table, seed, true);
    std::vector<Label> conditions;
    for (std::size_t i = 0; i < 1 + seed % 4; ++i)
      conditions.push_back(nodes.condition());
    std::string text;
    for (const Label condition : conditions)
      text += text_of(table, condition) + '\n';
    INFO("seed " << seed << '\n' << text);
    Tape tape(table, conditions, nullptr);
    const auto holds = [&](std::uint64_t a, std::uint64_t b) {
      const auto all = tape.run(Inputs{a, b});
      return std::ranges::all_of(all, [](std::uint64_t one) { return one != 0; });
    };
    bool some = false;
    for (unsigned i = 0; i < 65536 && !some; ++i)
      some = holds(i & 255, i >> 8);
    for (const Theory theory : {Theory::BitVectors, Theory::Linear}) {
      Script script = script_of(table, conditions, theory);
      script.question.seconds = 20;
      const Verdict verdict = z3.ask(script.question);
      if (verdict.kind == Verdict::Kind::Unknown)
        continue; // Z3 gave up, which is no answer
      INFO("theory " << static_cast<unsigned>(theory));
      if (verdict.kind == Verdict::Kind::Unsatisfiable)
        REQUIRE_FALSE(some);
      if (theory != Theory::BitVectors) // products may be anything
        continue;
      REQUIRE((verdict.kind == Verdict::Kind::Satisfiable) == some);
      if (!some)
        continue;
      const auto value = [&](const char* name) {
        const auto found = verdict.values.find(name);
        return found == verdict.values.end() ? 0 : found->second;
      };
      REQUIRE(holds(value("u0"), value("u1")));
    }
    possible += some;
    impossible += !some;
  }
  CHECK(possible > 0);
  CHECK(impossible > 0);
}
