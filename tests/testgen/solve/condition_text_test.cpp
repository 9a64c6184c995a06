// What conditions look like in reasons.
#include "tests/catch.h"

#include "testgen/solve/condition_text.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

using namespace gputest::testgen;

namespace {

constexpr std::array<std::uint8_t, 6> kBits{32, 32, 64, 8, 1, 32};

// Makes expressions of int n, uint u, get_global_id(0), uchar c, a decision and a float.
struct Made {
  Table table{kBits};
  std::vector<std::string> names{"n", "u", "get_global_id(0)", "in[2]", "done", "x"};
  std::vector<bool> naturals{false, true, true, true, true, false};
  Label n = table.input(0), u = table.input(1), id = table.input(2), c = table.input(3),
        done = table.input(4), x = table.input(5);

  Label number(std::uint64_t value, unsigned bits = 32) { return table.constant(value, bits); }
  Label is(Op op, Label a, Label b) { return table.make(op, 1, a, b); }
  Label make(Op op, unsigned bits, Label a, Label b = 0, Label third = 0, std::uint64_t more = 0) {
    return table.make(op, bits, a, b, third, more);
  }
  std::string text(Label condition, std::size_t most = 100) const {
    return text_of_conditions(table, conjuncts_of(table, condition),
                              {.names = names, .naturals = naturals}, most);
  }
};

} // namespace

TEST_CASE("Conditions are written as in C, with the number last") {
  struct Row {
    const char* text;
    std::function<Label(Made&)> condition;
  };
  const Row rows[] = {
      {"n < 4 && n > 8",
       [](Made& of) {
         return of.is(Op::And, of.is(Op::SLess, of.n, of.number(4)),
                      of.is(Op::SLess, of.number(8), of.n));
       }},
      {"n >= 4", [](Made& of) { return of.table.negation(of.is(Op::SLess, of.n, of.number(4))); }},
      {"n != -1",
       [](Made& of) { return of.table.negation(of.is(Op::Equal, of.n, of.number(~0U))); }},
      {"u > 4000000000", [](Made& of) { return of.is(Op::ULess, of.number(4000000000U), of.u); }},
      {"(unsigned)n <= 7", [](Made& of) { return of.is(Op::ULessEqual, of.n, of.number(7)); }},
      {"(unsigned)(n - 1) < 7",
       [](Made& of) {
         return of.is(Op::ULess, of.make(Op::Add, 32, of.n, of.number(~0U)), of.number(7));
       }},
      {"(unsigned)(n * (n + 3)) % 4 == 2",
       [](Made& of) {
         const Label product = of.make(Op::Mul, 32, of.n, of.make(Op::Add, 32, of.n, of.number(3)));
         return of.is(Op::Equal, of.make(Op::URem, 32, product, of.number(4)), of.number(2));
       }},
      {"(n & 6) == 2",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::And, 32, of.n, of.number(6)), of.number(2));
       }},
      {"(int)get_global_id(0) < n",
       [](Made& of) { return of.is(Op::SLess, of.make(Op::Trunc, 32, of.id), of.n); }},
      {"(get_global_id(0) >> 3 & 1) == n",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::ZExt, 32, of.make(Op::Extract, 1, of.id, 0, 0, 3)),
                      of.n);
       }},
      {"in[2] < n", [](Made& of) { return of.is(Op::SLess, of.make(Op::ZExt, 32, of.c), of.n); }},
      // The types of C decide whether numbers have signs, and in which width it computes.
      {"(int)u < -3", [](Made& of) { return of.is(Op::SLess, of.u, of.number(~2U)); }},
      {"u < n", [](Made& of) { return of.is(Op::ULess, of.u, of.n); }},
      {"n < u", [](Made& of) { return of.is(Op::ULess, of.n, of.u); }},
      {"(int)u <= n", [](Made& of) { return of.is(Op::SLessEqual, of.u, of.n); }},
      {"(unsigned)n < (int)get_global_id(0)",
       [](Made& of) { return of.is(Op::ULess, of.n, of.make(Op::Trunc, 32, of.id)); }},
      {"(uchar)n == u",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::ZExt, 32, of.make(Op::Trunc, 8, of.n)), of.u);
       }},
      {"(char)n == n",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::SExt, 32, of.make(Op::Trunc, 8, of.n)), of.n);
       }},
      {"(unsigned)get_global_id(0) % 6 == 5",
       [](Made& of) {
         const Label id = of.make(Op::Trunc, 32, of.id);
         return of.is(Op::Equal, of.make(Op::URem, 32, id, of.number(6)), of.number(5));
       }},
      {"n % 6 == 5",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::SRem, 32, of.n, of.number(6)), of.number(5));
       }},
      {"(int)u / 6 == 5",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::SDiv, 32, of.u, of.number(6)), of.number(5));
       }},
      {"(unsigned)n / 6 == 5",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::UDiv, 32, of.n, of.number(6)), of.number(5));
       }},
      {"(unsigned)n >> 4 == (int)u >> 2",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::LShr, 32, of.n, of.number(4)),
                      of.make(Op::AShr, 32, of.u, of.number(2)));
       }},
      {"(unsigned)n < get_global_id(0)",
       [](Made& of) { return of.is(Op::ULess, of.make(Op::ZExt, 64, of.n), of.id); }},
      {"n < (long)get_global_id(0)",
       [](Made& of) { return of.is(Op::SLess, of.make(Op::SExt, 64, of.n), of.id); }},
      {"(long)n * n == get_global_id(0)",
       [](Made& of) {
         const Label wide = of.make(Op::SExt, 64, of.n);
         return of.is(Op::Equal, of.make(Op::Mul, 64, wide, wide), of.id);
       }},
      {"get_global_id(0) + n < u",
       [](Made& of) {
         return of.is(Op::ULess, of.make(Op::Add, 64, of.id, of.make(Op::SExt, 64, of.n)),
                      of.make(Op::ZExt, 64, of.u));
       }},
      {"(uchar)(in[2] + 1) == 0",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::Add, 8, of.c, of.number(1, 8)), of.number(0, 8));
       }},
      {"x < 2.0f", [](Made& of) { return of.is(Op::FLess, of.x, of.number(0x40000000)); }},
      {"x == -INFINITY", [](Made& of) { return of.is(Op::FEqual, of.x, of.number(0xff800000)); }},
      {"min(n, (int)u) == 3",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::Select, 32, of.is(Op::SLess, of.n, of.u), of.n, of.u),
                      of.number(3));
       }},
      {"(1 if done else 2) == n",
       [](Made& of) {
         return of.is(Op::Equal, of.make(Op::Select, 32, of.done, of.number(1), of.number(2)),
                      of.n);
       }},
      {"!done && (n < 1 || u == 2)",
       [](Made& of) {
         return of.is(Op::And, of.table.negation(of.done),
                      of.is(Op::Or, of.is(Op::SLess, of.n, of.number(1)),
                            of.is(Op::Equal, of.u, of.number(2))));
       }},
      {"x < 0.5f", [](Made& of) { return of.is(Op::FLess, of.x, of.number(0x3f000000)); }},
      {"!(x < 0.5f)", // which is not x >= 0.5f: x may be a NaN
       [](Made& of) { return of.table.negation(of.is(Op::FLess, of.x, of.number(0x3f000000))); }},
      {"sqrt(x) == x",
       [](Made& of) { return of.is(Op::FEqual, of.make(Op::FSqrt, 32, of.x), of.x); }},
  };
  for (const Row& row : rows) {
    Made made;
    CHECK(made.text(row.condition(made)) == row.text);
  }
}

TEST_CASE("Long conditions lose what is deep in them, and what comes last") {
  Made made;
  Label sum = made.n;
  for (unsigned i = 1; i < 40; ++i)
    sum = made.make(Op::Mul, 32, made.make(Op::Add, 32, sum, made.u), made.number(2 * i + 1));
  const std::string text = made.text(made.is(Op::Equal, sum, made.number(7)));
  INFO(text);
  CHECK(text.size() <= 100);
  CHECK(text.find("…") != std::string::npos);
  CHECK(text.ends_with("* 79 == 7"));

  Label all = made.number(1, 1);
  for (unsigned i = 0; i < 40; ++i)
    all = made.is(Op::And, all, made.is(Op::SLess, made.n, made.number(100 + i)));
  const std::string many = made.text(all);
  CHECK(many.size() <= 106);
  CHECK(many.starts_with("n < 100 && n < 101 && "));
  CHECK(many.ends_with(" && …"));
}

TEST_CASE("A bit that tells of one decision is that decision") {
  Made made;
  const Label less = made.is(Op::SLess, made.n, made.number(4));
  const auto bit = [&](unsigned which) { // as coverage.cl sets one of two bits
    const Label by = made.make(Op::And, 32, made.make(Op::ZExt, 32, less), made.number(31));
    return made.make(Op::Extract, 1, made.make(Op::Shl, 32, made.number(2), by), 0, 0, which);
  };
  CHECK(made.text(plain_condition(made.table, bit(2))) == "n < 4");
  CHECK(made.text(plain_condition(made.table, bit(1))) == "n >= 4");
  CHECK(made.table[plain_condition(made.table, bit(3))].number == 0);
  // Nothing else changes.
  const Label other = made.is(Op::And, less, made.is(Op::Equal, made.u, made.number(2)));
  CHECK(plain_condition(made.table, other) == other);
  CHECK(made.text(plain_condition(made.table, made.is(Op::And, bit(2), made.done))) ==
        "n < 4 && done");
}
