// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/expressions/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace gputest::model {

struct Expression::Node {
  std::string operation; // "number", "name", "index", "call", an operator
  double number = 0;
  std::string name;
  std::vector<std::unique_ptr<Node>> operands{};
};

namespace {

using ExpressionNode = Expression::Node;
using NodePointer = std::unique_ptr<ExpressionNode>;

// Operators that bind alike, those that bind least first.
constexpr std::array<std::array<std::string_view, 4>, 6> kLevels{
    {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};
constexpr std::array<std::string_view, 3> kLaunchSizes{"global_size", "local_size", "num_groups"};

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePointer parse() {
    NodePointer node = binary(0);
    skip();
    if (at_ != text_.size())
      fail("an operator is expected");
    return node;
  }

private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ExpressionError(fmt::format("'{}', character {}: {}", text_, at_ + 1, why));
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }

  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token))
      return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token))
      fail(fmt::format("'{}' is expected", token));
  }

  NodePointer node(std::string operation, NodePointer first, NodePointer second = nullptr) {
    auto made = std::make_unique<ExpressionNode>();
    made->operation = std::move(operation);
    made->operands.push_back(std::move(first));
    if (second)
      made->operands.push_back(std::move(second));
    return made;
  }

  NodePointer binary(std::size_t level) {
    if (level == kLevels.size())
      return unary();
    if (++depth_ > 200)
      fail("it is nested too deeply");
    NodePointer left = binary(level + 1);
    while (true) {
      std::string_view found;
      for (const std::string_view operation : kLevels[level])
        if (found.empty() && !operation.empty() && take(operation))
          found = operation;
      if (found.empty())
        break;
      left = node(std::string(found), std::move(left), binary(level + 1));
    }
    --depth_;
    return left;
  }

  NodePointer unary() {
    if (++depth_ > 200)
      fail("it is nested too deeply");
    NodePointer made;
    if (take("-"))
      made = node("negate", unary());
    else if (take("!"))
      made = node("!", unary());
    else
      made = primary();
    --depth_;
    return made;
  }

  NodePointer primary() {
    skip();
    if (take("(")) {
      NodePointer inner = binary(0);
      expect(")");
      return inner;
    }
    const char next = at_ < text_.size() ? text_[at_] : '\0';
    if (std::isdigit(static_cast<unsigned char>(next)) || next == '.')
      return number();
    if (std::isalpha(static_cast<unsigned char>(next)) || next == '_')
      return name();
    fail("a number, a name or '(' is expected");
  }

  NodePointer number() {
    auto made = std::make_unique<ExpressionNode>();
    made->operation = "number";
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), made->number);
    if (error != std::errc())
      fail("a number is expected");
    at_ += static_cast<std::size_t>(end - begin);
    return made;
  }

  std::string identifier() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  NodePointer name() {
    auto made = std::make_unique<ExpressionNode>();
    made->name = identifier();
    if (take("[")) {
      made->operation = "index";
      made->operands.push_back(binary(0));
      expect("]");
      return made;
    }
    made->operation = "name";
    if (!take("("))
      return made;
    if (made->name == "size") {
      made->operation = "size";
      made->name = identifier();
    } else if (std::ranges::find(kLaunchSizes, made->name) != kLaunchSizes.end()) {
      made->operation = "call";
      made->operands.push_back(binary(0));
    } else {
      fail(fmt::format("there is no function '{}'; there are: global_size, local_size, num_groups, "
                       "size",
                       made->name));
    }
    expect(")");
    return made;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

bool whole(double value) {
  return std::trunc(value) == value;
}

std::optional<double> combined(const std::string& operation, double a, double b) {
  if (operation == "+")
    return a + b;
  if (operation == "-")
    return a - b;
  if (operation == "*")
    return a * b;
  if (operation == "/" || operation == "%") {
    if (b == 0)
      return std::nullopt;
    if (operation == "%")
      return std::fmod(a, b);
    return whole(a) && whole(b) ? std::trunc(a / b) : a / b;
  }
  if (operation == "==")
    return a == b;
  if (operation == "!=")
    return a != b;
  if (operation == "<")
    return a < b;
  if (operation == "<=")
    return a <= b;
  if (operation == ">")
    return a > b;
  return a >= b;
}

std::optional<double> value_of(const ExpressionNode& node, const Expression::Lookup& lookup) {
  const auto operand = [&](std::size_t index) { return value_of(*node.operands[index], lookup); };
  if (node.operation == "number")
    return node.number;
  if (node.operation == "name")
    return lookup({.name = node.name});
  if (node.operation == "size")
    return lookup({.name = "size", .call = true, .argument = node.name});
  const std::optional<double> first = operand(0);
  if (node.operation == "index" || node.operation == "call") {
    if (!first || !whole(*first) || std::abs(*first) > 1e15)
      return std::nullopt;
    return lookup({.name = node.name,
                   .call = node.operation == "call",
                   .index = static_cast<long long>(*first)});
  }
  if (node.operation == "&&" && first && *first == 0)
    return 0;
  if (node.operation == "||" && first && *first != 0)
    return 1;
  if (!first)
    return std::nullopt;
  if (node.operation == "negate")
    return -*first;
  if (node.operation == "!")
    return *first == 0;
  const std::optional<double> second = operand(1);
  if (!second)
    return std::nullopt;
  if (node.operation == "&&" || node.operation == "||")
    return *second != 0;
  return combined(node.operation, *first, *second);
}

using Term = Expression::Term;

std::optional<Term> term_of(const ExpressionNode& node, const Expression::Algebra& algebra) {
  if (node.operation == "number")
    return algebra.number(node.number);
  if (node.operation == "name")
    return algebra.value({.name = node.name});
  if (node.operation == "call" && node.operands[0]->operation == "number")
    return algebra.value({.name = node.name,
                          .call = true,
                          .index = static_cast<long long>(node.operands[0]->number)});
  if (node.operation == "index" || node.operation == "size" || node.operation == "call")
    return std::nullopt;
  std::optional<Term> first = term_of(*node.operands[0], algebra);
  std::optional<Term> second = first;
  if (node.operation == "negate")
    first = algebra.number(0);
  else if (node.operands.size() > 1)
    second = term_of(*node.operands[1], algebra);
  if (!first || !second)
    return std::nullopt;
  return algebra.operation(node.operation == "negate" ? "-" : node.operation, *first, *second);
}

void add_conjuncts(const ExpressionNode& node, const Expression::Algebra& algebra,
                   std::vector<Term>& all) {
  if (node.operation == "&&") {
    for (const NodePointer& part : node.operands)
      add_conjuncts(*part, algebra, all);
    return;
  }
  if (const std::optional<Term> term = term_of(node, algebra))
    all.push_back(*term);
}

void add_names(const ExpressionNode& node, std::set<std::string>& names) {
  if (!node.name.empty() && node.operation != "call")
    names.insert(node.name);
  for (const NodePointer& operand : node.operands)
    add_names(*operand, names);
}

} // namespace

Expression::Expression(std::string text) : text_(std::move(text)), root_(Parser(text_).parse()) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

std::optional<double> Expression::evaluate(const Lookup& lookup) const {
  return value_of(*root_, lookup);
}

std::vector<Term> Expression::conjuncts(const Algebra& algebra) const {
  std::vector<Term> all;
  add_conjuncts(*root_, algebra, all);
  return all;
}

std::optional<Expression::GivenSize> Expression::given_size() const {
  if (root_->operation != "==")
    return std::nullopt;
  const auto is_alone = [](const std::string& text) { // and is not in parentheses with the other
    const std::size_t begin = text.find_first_not_of(' ');
    return begin != std::string::npos && text.compare(begin, 4, "size") == 0;
  };
  const std::size_t first = text_.find("=="), last = text_.rfind("==");
  if (root_->operands[0]->operation == "size" && is_alone(text_))
    return GivenSize{root_->operands[0]->name, text_.substr(first + 2)};
  if (root_->operands[1]->operation == "size" && is_alone(text_.substr(last + 2)))
    return GivenSize{root_->operands[1]->name, text_.substr(0, last)};
  return std::nullopt;
}

std::set<std::string> Expression::names() const {
  std::set<std::string> names;
  add_names(*root_, names);
  return names;
}

} // namespace gputest::model
