#include "tests/catch.h"

#include "model/expressions/expression.h"

#include <map>
#include <set>

using namespace gputest::model;
using gputest::tests::ContainsSubstring;

namespace {

std::optional<double> value(const std::string& text) {
  const std::map<std::string, double> scalars{{"n", 5}, {"m", 3}, {"x", 0.5}};
  return Expression(text).evaluate(
      [&](const Expression::Reference& reference) -> std::optional<double> {
        if (reference.call && reference.name == "size")
          return reference.argument == "data"        ? std::optional(4.0)
                 : reference.argument == "row_start" ? std::optional(3.0)
                                                     : std::nullopt;
        if (reference.call && reference.argument == "row_start")
          return reference.name == "sum"             ? 30
                 : reference.name == "sum_tolerance" ? 0.5
                                                     : reference.name == "ascending";
        if (reference.call && !reference.index)
          return std::nullopt;
        if (reference.call)
          return reference.name == "global_size" ? 64 + static_cast<double>(*reference.index) : 8;
        if (reference.index)
          return *reference.index < 4 ? std::optional(10.0 * static_cast<double>(*reference.index))
                                      : std::nullopt;
        const auto found = scalars.find(reference.name);
        return found == scalars.end() ? std::nullopt : std::optional(found->second);
      });
}

std::string refusal(const std::string& text) {
  try {
    Expression expression(text);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("Expressions have C's precedence and whole division") {
  CHECK(value("1 + 2*3") == 7);
  CHECK(value("(1 + 2)*3") == 9);
  CHECK(value("n*m - 1") == 14);
  CHECK(value("n/m") == 1);
  CHECK(value("-n/2") == -2);
  CHECK(value("x/2") == 0.25);
  CHECK(value("n % m") == 2);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("n <= global_size(0) && n % 4 == 1") == 1);
  CHECK(value("n < m || !(n == 5)") == 0);
  CHECK(value("global_size(1)*local_size(0)") == 65 * 8);
  CHECK(value("row_start[m - 1] + size(data)") == 24);
}

TEST_CASE("What has no value is none") {
  CHECK_FALSE(value("n / (m - 3)"));
  CHECK_FALSE(value("row_start[n]"));
  CHECK_FALSE(value("unknown + 1"));
  CHECK(value("n > 3 || unknown > 1") == 1); // decided before
}

TEST_CASE("Functions of a whole buffer have values, and sums have a tolerance") {
  CHECK(value("ascending(row_start) && !distinct(row_start)") == 1);
  CHECK(value("all(x in row_start: x < 21 && x >= 0)") == 1);
  CHECK(value("all(x in row_start: x < 20)") == 0);
  CHECK(value("all(n in row_start: all(m in row_start: n + m <= 40))") == 1);
  CHECK(value("all(n in row_start: n < 21) && n == 5") == 1); // bound within alone
  CHECK(value("sum(row_start) == 30.5") == 1);
  CHECK(value("sum(row_start) == 30.6") == 0);
  CHECK(value("2*sum(row_start) != 61") == 0);
  CHECK(value("sum(row_start) / 10 <= 2.96") == 1);
  CHECK(value("sum(row_start) < 30") == 0);
  CHECK_FALSE(value("ascending(other)"));
  CHECK(Expression("all(x in col: x < size(y) && p[x] == n)").names() ==
        std::set<std::string>{"col", "y", "p", "n"});
}

TEST_CASE("An expression that says a size is known") {
  const auto given = [](const std::string& text) {
    const auto size = Expression(text).given_size();
    return size ? size->name + ":" + size->size : "none";
  };
  CHECK(given("size(data) == n + 1") == "data: n + 1");
  CHECK(given("n == m == size(data)") == "data:n == m ");
  CHECK(given("  size(data)==size(other)") == "data:size(other)");
  CHECK(given("size(data) == n == m") == "none");
  CHECK(given("(size(data) == n)") == "none");
  CHECK(given("size(data) >= n") == "none");
  CHECK(given("size(data) == n && m") == "none");
  CHECK(given("size(data) + 1 == n") == "none");
}

TEST_CASE("Texts that are no expressions are refused with their place") {
  CHECK_THAT(refusal("n +"), ContainsSubstring("character 4: a number, a name or '(' is expected"));
  CHECK_THAT(refusal("(n"), ContainsSubstring("')' is expected"));
  CHECK_THAT(refusal("n m"), ContainsSubstring("character 3: an operator is expected"));
  CHECK_THAT(refusal("n + power(2)"),
             ContainsSubstring("character 5: there is no function 'power'"));
  CHECK_THAT(refusal("ascending()"), ContainsSubstring("character 11: the name of a buffer"));
  CHECK_THAT(refusal("all(x of b: x)"), ContainsSubstring("character 7: 'in' is expected"));
  CHECK_THAT(refusal("all(x in b, x)"), ContainsSubstring("character 11: ':' is expected"));
  CHECK_THAT(refusal("all(1 in b: 1)"), ContainsSubstring("character 5: a name for the element"));
  CHECK_THAT(refusal(std::string(5000, '(')), ContainsSubstring("nested too deeply"));
  CHECK_THAT(refusal(std::string(5000, '-')), ContainsSubstring("nested too deeply"));
}
