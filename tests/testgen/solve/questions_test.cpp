// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Z3 is asked, and which launches are offered.
#include "tests/catch.h"
#include "tests/testgen/solver.h"

#include "testgen/concolic/evaluate.h"
#include "testgen/solve/launches.h"
#include "testgen/solve/smtlib.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

using namespace gputest::testgen;

namespace {

constexpr Op kProducts[] = {Op::Mul, Op::UDiv, Op::URem, Op::SDiv, Op::SRem};

Unit size_of(Unit::Kind kind, std::uint64_t dimension, bool fixed) {
  return {.kind = kind, .fixed = fixed, .size = 8, .offset = dimension};
}

using Sizes = std::vector<std::pair<std::uint64_t, std::uint64_t>>; // global, local

Sizes offered(const std::vector<Unit>& units, const std::vector<std::uint64_t>& values) {
  Sizes all;
  offer_launches(units, values, [&](const std::vector<std::uint64_t>& one) {
    all.emplace_back(one[0], one[1]);
    return false;
  });
  return all;
}

} // namespace

TEST_CASE("What holds for any products holds for the right ones", "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Z3Process z3;
  const std::array<std::uint8_t, 2> widths{8, 8};
  for (const Op op : kProducts) {
    Table table(widths);
    const Label result = table.make(op, 8, table.input(0), table.input(1));
    const auto number = [&](std::uint64_t value) { return table.constant(value, 8); };
    const auto is = [&](Label a, std::uint64_t value) {
      return table.make(Op::Equal, 1, a, number(value));
    };
    for (const auto& [x, y] : {std::pair{200U, 7U}, {5U, 9U}, {0U, 1U}, {255U, 255U}}) {
      const std::uint64_t right =
          apply({.op = op, .bits = 8, .a = 0, .b = 0, .c = 0, .number = 0}, 8, x, y, 0);
      for (const Theory theory : {Theory::Linear, Theory::BitVectors}) {
        const Script script = script_of(
            table, {is(table.input(0), x), is(table.input(1), y), is(result, right)}, theory);
        CHECK(script.products);
        CHECK(z3.ask(script.question).kind == Verdict::Kind::Satisfiable);
      }
    }
    CHECK(z3.ask(script_of(table, {is(table.input(0), 5), is(table.input(1), 9), is(result, 77)},
                           Theory::BitVectors)
                     .question)
              .kind == Verdict::Kind::Unsatisfiable);
  }
}

TEST_CASE("No quotient of any kind is above the dividend, and no remainder above the divisor",
          "[needs][needs-solver]") {
  gputest::tests::require_solver();
  Z3Process z3;
  const std::array<std::uint8_t, 2> widths{32, 32};
  for (const auto& [op, limit] : {std::pair{Op::UDiv, 0U}, {Op::URem, 1U}}) {
    Table table(widths);
    const Label result = table.make(op, 32, table.input(0), table.input(1));
    const Label above = table.make(Op::ULess, 1, table.input(limit), result);
    const Label divides = table.make(Op::ULess, 1, table.constant(0, 32), table.input(1));
    CHECK(z3.ask(script_of(table, {divides, above}, Theory::Linear).question).kind ==
          Verdict::Kind::Unsatisfiable);
    CHECK(z3.ask(script_of(table, {above}, Theory::Linear).question).kind ==
          Verdict::Kind::Satisfiable); // by 0
  }
}

TEST_CASE("Only products of variables, and quotients that are no shifts, count as products") {
  const std::array<std::uint8_t, 2> widths{32, 32};
  const auto has_products = [&](Op op, bool variable, std::uint64_t by = 0) {
    Table table(widths);
    const Label result =
        table.make(op, 32, table.input(0), variable ? table.input(1) : table.constant(by, 32));
    return script_of(table, {table.make(Op::ULess, 1, result, table.input(1))}, Theory::Linear)
        .products;
  };
  for (const Op op : kProducts)
    CHECK(has_products(op, true));
  CHECK_FALSE(has_products(Op::Mul, false, 12));
  CHECK_FALSE(has_products(Op::UDiv, false, 16));
  CHECK_FALSE(has_products(Op::URem, false, 16));
  CHECK(has_products(Op::UDiv, false, 12));
  CHECK(has_products(Op::SRem, false, 16));
  CHECK_FALSE(has_products(Op::Add, true));
}

TEST_CASE("Launches with full groups are offered, small ones first") {
  const std::vector<Unit> free{size_of(Unit::Kind::GlobalSize, 0, false),
                               size_of(Unit::Kind::LocalSize, 0, false)};
  Sizes expected;
  for (std::uint64_t global = 1; global <= kMostItems; ++global)
    for (std::uint64_t local = 1; local <= std::min<std::uint64_t>(global, kMostItemsOfGroup);
         ++local)
      if (global % local == 0)
        expected.emplace_back(global, local);
  CHECK(offered(free, {64, 16}) == expected);
  const std::vector<Unit> keeps_local{free[0], size_of(Unit::Kind::LocalSize, 0, true)};
  std::erase_if(expected, [](const auto& one) { return one.second != 16; });
  CHECK(offered(keeps_local, {64, 16}) == expected);
  CHECK(offered({size_of(Unit::Kind::GlobalSize, 0, true), free[1]}, {64, 16}).empty());
  std::size_t asked = 0;
  offer_launches(free, {64, 16}, [&](const std::vector<std::uint64_t>&) { return ++asked == 5; });
  CHECK(asked == 5);
}
