// Expressions over a launch's sizes and arguments, as users write them: "rows + 1", "n * m",
// "row_start[rows]", "n <= global_size(0) && n % 4 == 0".
//
// Numbers, + - * / %, comparisons, && || ! and parentheses, with C's precedence. Names are integer
// or floating scalars by value; `name[i]` is an element of a buffer; `size(name)` its elements;
// global_size(d), local_size(d) and num_groups(d) are the launch's. `/` and `%` of whole numbers
// truncate as in C. What is true is 1.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::testgen {

// A text that is no expression, or one that cannot be evaluated. what() says where and why.
class ExpressionError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class Expression {
public:
  // Throws ExpressionError.
  explicit Expression(std::string text);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  // `name`, `name[index]` or `name(index)`; index is none for a name alone. `call` tells the last
  // two apart. nullopt: there is no such thing, or not at this index.
  struct Reference {
    std::string name;
    bool call = false;
    std::optional<long long> index{};
    std::string argument{}; // of size(name)
  };
  using Lookup = std::function<std::optional<double>(const Reference&)>;

  // nullopt: divides by zero, or what it refers to is not there.
  std::optional<double> evaluate(const Lookup& lookup) const;

  // The same with whole numbers that are known by something else, and by bounds.
  struct Term {
    std::uint32_t label = 0;
    double low = 0, high = 0;
  };
  struct Algebra {
    std::function<std::optional<Term>(double)> number;
    std::function<std::optional<Term>(const Reference&)> value;
    // "-" of one operand is 0 - a; "!" has its operand twice.
    std::function<std::optional<Term>(const std::string&, const Term&, const Term&)> operation;
  };
  // What must not be 0 so that the expression is not: of `a && b` a and b. What has no term is left
  // out.
  std::vector<Term> conjuncts(const Algebra& algebra) const;

  // "n + 1" for data of `size(data) == n + 1` and of `n + 1 == size(data)`. nullopt: it is none.
  struct GivenSize {
    std::string name, size;
  };
  std::optional<GivenSize> given_size() const;

  // The arguments' names in it.
  std::set<std::string> names() const;
  const std::string& text() const { return text_; }

  struct Node;

private:
  std::string text_;
  std::unique_ptr<Node> root_;
};

} // namespace gputest::testgen
