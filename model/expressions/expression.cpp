// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/expressions/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace gputest::model {

namespace {

using ExpressionNode = Expression::Node;
using NodePointer = std::unique_ptr<ExpressionNode>;
using NodeKind = ExpressionNode::Kind;

// Operators that bind alike, those that bind least first.
constexpr std::array<std::array<std::string_view, 4>, 6> kLevels{
    {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};
constexpr std::array<std::string_view, 4> kLaunchSizes{"global_size", "local_size", "num_groups",
                                                       "global_offset"};
constexpr std::array<std::string_view, 6> kOfBuffers{
    "size", "sum", "ascending", "strictly_ascending", "distinct", "permutation"};

std::string place_text(std::string_view text, std::size_t at, std::string_view why) {
  return fmt::format("'{}', character {}: {}", text, at + 1, why);
}

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
    throw ExpressionError(place_text(text_, at_, why));
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

  NodePointer node(NodeKind kind, std::string name, std::size_t at, NodePointer first = nullptr,
                   NodePointer second = nullptr) {
    auto made = std::make_unique<ExpressionNode>();
    made->kind = kind;
    made->name = std::move(name);
    made->at = at;
    for (NodePointer* const operand : {&first, &second})
      if (*operand)
        made->operands.push_back(std::move(*operand));
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
      const std::size_t at = left->at;
      left = node(NodeKind::Operation, std::string(found), at, std::move(left), binary(level + 1));
    }
    --depth_;
    return left;
  }

  NodePointer unary() {
    if (++depth_ > 200)
      fail("it is nested too deeply");
    NodePointer made;
    skip();
    const std::size_t at = at_;
    if (take("-"))
      made = node(NodeKind::Operation, "negate", at, unary());
    else if (take("!"))
      made = node(NodeKind::Operation, "!", at, unary());
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
    NodePointer made = node(NodeKind::Number, "", at_);
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
    const std::size_t at = at_;
    std::string name = identifier();
    if (take("[")) {
      NodePointer index = binary(0);
      expect("]");
      return node(NodeKind::Element, std::move(name), at, std::move(index));
    }
    if (!take("("))
      return node(NodeKind::Name, std::move(name), at);
    if (name == "all")
      return all();
    if (std::ranges::find(kOfBuffers, name) != kOfBuffers.end()) {
      NodePointer made = node(NodeKind::Whole, std::move(name), at);
      made->argument = buffer(*made);
      expect(")");
      return made;
    }
    if (std::ranges::find(kLaunchSizes, name) == kLaunchSizes.end()) {
      at_ = at;
      fail(fmt::format("there is no function '{}'; there are: {}, {}, all", name,
                       fmt::join(kLaunchSizes, ", "), fmt::join(kOfBuffers, ", ")));
    }
    NodePointer dimension = binary(0);
    expect(")");
    return node(NodeKind::Size, std::move(name), at, std::move(dimension));
  }

  // The name of a buffer, whose place the node gets.
  std::string buffer(ExpressionNode& node) {
    skip();
    node.at = at_;
    std::string name = identifier();
    if (name.empty())
      fail("the name of a buffer is expected");
    return name;
  }

  // Behind "all(".
  NodePointer all() {
    skip();
    const std::size_t at = at_;
    std::string name = identifier();
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front()))) {
      at_ = at;
      fail("a name for the element is expected, as in all(x in b: x < n)");
    }
    skip();
    const std::size_t word = at_;
    if (identifier() != "in") {
      at_ = word;
      fail("'in' is expected, as in all(x in b: x < n)");
    }
    NodePointer made = node(NodeKind::All, std::move(name), at);
    made->argument = buffer(*made);
    expect(":");
    made->operands.push_back(binary(0));
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

// A value, and by how much it may differ from one that it is compared with.
struct Value {
  double value = 0, tolerance = 0;
};

std::optional<Value> combined(const std::string& operation, const Value& left, const Value& right) {
  const double a = left.value, b = right.value, tolerance = left.tolerance + right.tolerance;
  const bool or_equal = operation.size() == 2;
  switch (operation.front()) {
  case '+':
    return Value{a + b, tolerance};
  case '-':
    return Value{a - b, tolerance};
  case '*':
    return Value{a * b, std::abs(a) * right.tolerance + std::abs(b) * left.tolerance};
  case '%':
    return b == 0 ? std::nullopt : std::optional(Value{std::fmod(a, b), tolerance});
  case '/': {
    if (b == 0)
      return std::nullopt;
    const bool is_whole = whole(a) && whole(b) && tolerance == 0;
    return Value{is_whole ? std::trunc(a / b) : a / b, tolerance / std::abs(b)};
  }
  case '=':
    return Value{static_cast<double>(a == b || std::abs(a - b) <= tolerance)};
  case '!':
    return Value{static_cast<double>(!(a == b || std::abs(a - b) <= tolerance))};
  case '<':
    return Value{static_cast<double>(or_equal ? a <= b + tolerance : a < b)};
  default:
    return Value{static_cast<double>(or_equal ? a >= b - tolerance : a > b)};
  }
}

class Evaluation {
public:
  explicit Evaluation(const Expression::Lookup& lookup) : lookup_(lookup) {}

  std::optional<Value> of(const ExpressionNode& node, const Expression::Bound* bound) const {
    switch (node.kind) {
    case NodeKind::Number:
      return Value{node.number};
    case NodeKind::Name:
      for (const Expression::Bound* one = bound; one; one = one->outer)
        if (one->name == node.name)
          return Value{one->value};
      return looked_up({.name = node.name});
    case NodeKind::Element:
    case NodeKind::Size: {
      const std::optional<Value> index = of(*node.operands[0], bound);
      if (!index || !whole(index->value) || std::abs(index->value) > 1e15)
        return std::nullopt;
      return looked_up({.name = node.name,
                        .call = node.kind == NodeKind::Size,
                        .index = static_cast<long long>(index->value)});
    }
    case NodeKind::Whole: {
      std::optional<Value> value =
          looked_up({.name = node.name, .call = true, .argument = node.argument});
      if (value && node.name == "sum")
        value->tolerance =
            lookup_({.name = "sum_tolerance", .call = true, .argument = node.argument}).value_or(0);
      return value;
    }
    case NodeKind::All:
      return all(node, bound);
    case NodeKind::Operation:
      break;
    }
    return operation(node, bound);
  }

private:
  std::optional<Value> looked_up(const Expression::Reference& reference) const {
    const std::optional<double> value = lookup_(reference);
    return value ? std::optional(Value{*value}) : std::nullopt;
  }

  std::optional<Value> all(const ExpressionNode& node, const Expression::Bound* bound) const {
    const auto size = lookup_({.name = "size", .call = true, .argument = node.argument});
    if (!size)
      return std::nullopt;
    for (long long i = 0; static_cast<double>(i) < *size; ++i) {
      const auto element = lookup_({.name = node.argument, .index = i});
      if (!element)
        return std::nullopt;
      const Expression::Bound inner{node.name, *element, bound};
      const std::optional<Value> holds = of(*node.operands[0], &inner);
      if (!holds || holds->value == 0)
        return holds;
    }
    return Value{1};
  }

  std::optional<Value> operation(const ExpressionNode& node, const Expression::Bound* bound) const {
    const std::optional<Value> first = of(*node.operands[0], bound);
    if (!first)
      return std::nullopt;
    const char kind = node.name.front(); // tells all operators but those with "=" apart
    if (kind == '&' && first->value == 0)
      return Value{0};
    if (kind == '|' && first->value != 0)
      return Value{1};
    if (kind == 'n') // "negate"
      return Value{-first->value, first->tolerance};
    if (kind == '!' && node.operands.size() == 1)
      return Value{static_cast<double>(first->value == 0)};
    const std::optional<Value> second = of(*node.operands[1], bound);
    if (!second)
      return std::nullopt;
    if (kind == '&' || kind == '|')
      return Value{static_cast<double>(second->value != 0)};
    return combined(node.name, *first, *second);
  }

  const Expression::Lookup& lookup_;
};

using Term = Expression::Term;

std::optional<Term> term_of(const ExpressionNode& node, const Expression::Algebra& algebra) {
  switch (node.kind) {
  case NodeKind::Number:
    return algebra.number(node.number);
  case NodeKind::Name:
    return algebra.value({.name = node.name});
  case NodeKind::Size:
    if (node.operands[0]->kind != NodeKind::Number)
      return std::nullopt;
    return algebra.value({.name = node.name,
                          .call = true,
                          .index = static_cast<long long>(node.operands[0]->number)});
  case NodeKind::Element:
  case NodeKind::Whole:
  case NodeKind::All:
    return std::nullopt;
  case NodeKind::Operation:
    break;
  }
  std::optional<Term> first = term_of(*node.operands[0], algebra);
  std::optional<Term> second = first;
  if (node.name == "negate")
    first = algebra.number(0);
  else if (node.operands.size() > 1)
    second = term_of(*node.operands[1], algebra);
  if (!first || !second)
    return std::nullopt;
  return algebra.operation(node.name == "negate" ? "-" : node.name, *first, *second);
}

void add_conjuncts(const ExpressionNode& node, std::vector<const ExpressionNode*>& all) {
  if (node.is("&&"))
    for (const NodePointer& part : node.operands)
      add_conjuncts(*part, all);
  else
    all.push_back(&node);
}

void add_names(const ExpressionNode& node, std::set<std::string> bound,
               std::set<std::string>& names) {
  const bool has_argument = node.kind == NodeKind::Whole || node.kind == NodeKind::All;
  if (has_argument)
    names.insert(node.argument);
  else if (node.kind == NodeKind::Element ||
           (node.kind == NodeKind::Name && !bound.contains(node.name)))
    names.insert(node.name);
  if (node.kind == NodeKind::All)
    bound.insert(node.name);
  for (const NodePointer& operand : node.operands)
    add_names(*operand, bound, names);
}

} // namespace

Expression::Expression(std::string text) : text_(std::move(text)), root_(Parser(text_).parse()) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

std::optional<double> Expression::evaluate(const Lookup& lookup) const {
  return evaluate(*root_, lookup);
}

std::optional<double> Expression::evaluate(const Node& part, const Lookup& lookup,
                                           const Bound* bound) {
  const std::optional<Value> value = Evaluation(lookup).of(part, bound);
  return value ? std::optional(value->value) : std::nullopt;
}

std::vector<const ExpressionNode*> Expression::conjunct_nodes() const {
  std::vector<const Node*> all;
  add_conjuncts(*root_, all);
  return all;
}

std::vector<Term> Expression::conjuncts(const Algebra& algebra) const {
  std::vector<Term> all;
  for (const Node* const part : conjunct_nodes())
    if (const std::optional<Term> term = term_of(*part, algebra))
      all.push_back(*term);
  return all;
}

ExpressionError Expression::error_at(std::size_t at, const std::string& why) const {
  return ExpressionError(place_text(text_, at, why));
}

std::optional<Expression::GivenSize> Expression::given_size() const {
  if (!root_->is("=="))
    return std::nullopt;
  const auto is_size = [](const Node& node) {
    return node.kind == NodeKind::Whole && node.name == "size";
  };
  const auto is_alone = [](const std::string& text) { // and is not in parentheses with the other
    const std::size_t begin = text.find_first_not_of(' ');
    return begin != std::string::npos && text.compare(begin, 4, "size") == 0;
  };
  const std::size_t first = text_.find("=="), last = text_.rfind("==");
  if (is_size(*root_->operands[0]) && is_alone(text_))
    return GivenSize{root_->operands[0]->argument, text_.substr(first + 2)};
  if (is_size(*root_->operands[1]) && is_alone(text_.substr(last + 2)))
    return GivenSize{root_->operands[1]->argument, text_.substr(0, last)};
  return std::nullopt;
}

std::set<std::string> Expression::names() const {
  std::set<std::string> names;
  add_names(*root_, {}, names);
  return names;
}

} // namespace gputest::model
