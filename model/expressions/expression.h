// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions over a launch's sizes and arguments, as users write them: "rows + 1", "n * m",
// "row_start[rows]", "n <= global_size(0) && n % 4 == 0".
//
// Expressions have numbers, + - * / %, comparisons, && || ! and parentheses, with C's precedence. A
// name is a scalar argument, `name[i]` an element of a buffer, and `size(name)` its number of
// elements. global_size(d), local_size(d) and num_groups(d) are those of the launch. `/` and `%` of
// whole numbers truncate as in C. True is 1.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::model {

// A text that is not a valid expression, or names something that does not exist. what() says where
// and why.
class ExpressionError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Expression {
public:
  // Parses the text. Throws ExpressionError.
  explicit Expression(std::string text);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  // `name`, `name[index]` or `name(index)`. A name alone has no index, and `call` distinguishes the
  // last two.
  struct Reference {
    std::string name;
    bool call = false;
    std::optional<long long> index{};
    std::string argument{}; // of size(name)
  };
  // Returns the value of a reference, or nullopt if there is none.
  using Lookup = std::function<std::optional<double>(const Reference&)>;

  // Returns nullopt if it divides by zero or if a reference has no value.
  std::optional<double> evaluate(const Lookup& lookup) const;

  // A symbolic whole number: a label and its bounds.
  struct Term {
    std::uint32_t label = 0;
    double low = 0, high = 0;
  };
  // The functions with which conjuncts() builds terms. They return nullopt if there is no term.
  struct Algebra {
    std::function<std::optional<Term>(double)> number;
    std::function<std::optional<Term>(const Reference&)> value;
    // Unary "-" is called as 0 - a. "!" gets its operand twice.
    std::function<std::optional<Term>(const std::string&, const Term&, const Term&)> operation;
  };
  // Returns the terms that must all be nonzero for the expression to be nonzero, such as a and b
  // for `a && b`. Parts without a term are left out.
  std::vector<Term> conjuncts(const Algebra& algebra) const;

  // For `size(data) == n + 1` and `n + 1 == size(data)`, returns "data" and "n + 1". Returns
  // nullopt for other expressions.
  struct GivenSize {
    std::string name, size;
  };
  std::optional<GivenSize> given_size() const;

  // Returns the names of the arguments in it.
  std::set<std::string> names() const;
  const std::string& text() const { return text_; }

  struct Node;

private:
  std::string text_;
  std::unique_ptr<Node> root_;
};

} // namespace gputest::model
