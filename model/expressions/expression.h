// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions over a launch's sizes and arguments, as users write them: "rows + 1", "n * m",
// "row_start[rows]", "n <= global_size(0) && n % 4 == 0".
//
// Expressions have numbers, + - * / %, comparisons, && || ! and parentheses, with C's precedence. A
// name is a scalar argument, `name[i]` an element of a buffer, and `size(name)` its number of
// elements. global_size(d), local_size(d), num_groups(d) and global_offset(d) are those of the
// launch. `/` and `%` of whole numbers truncate as in C. True is 1.
//
// These are about all elements of a buffer:
// - ascending(b), strictly_ascending(b): no element is less than the one before it, or not greater;
// - distinct(b): no two elements are equal;
// - permutation(b): the elements are 0, 1, … size(b) - 1 in some order;
// - sum(b): a number. Comparisons of sums of floating-point numbers have a tolerance
// (kSumOfFloats);
// - all(x in b: x < n): the condition holds for each element, which it calls x.
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

// A sum of `float`s equals a number if they differ by at most this share of the sum of the
// elements' absolute values; of `double`s and `half`s likewise.
struct SumTolerance {
  double of_half = 1e-2, of_float = 1e-5, of_double = 1e-12;
};
inline constexpr SumTolerance kSumOfFloats{};

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

  // `name`, `name[index]`, `name(index)` or `name(argument)`. A name alone has no index, and `call`
  // distinguishes the second from the third. The last has an argument and no index: size(b),
  // sum(b), ascending(b) and the like. "sum_tolerance" is asked for beside "sum": by how much a sum
  // may differ from what it is compared with; no value counts as 0.
  struct Reference {
    std::string name;
    bool call = false;
    std::optional<long long> index{};
    std::string argument{};
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

  // A part of the expression.
  struct Node {
    enum class Kind {
      Number,
      Name,     // `name`: an argument, or what the innermost all() of that name binds
      Element,  // `name`[operand]
      Size,     // `name`(operand), of the launch
      Whole,    // `name`(`argument`): size, sum, ascending, …
      All,      // all(`name` in `argument`: operand)
      Operation // `name`: "negate", "!", or a binary operator
    };
    Kind kind = Kind::Number;
    double number = 0;
    std::string name{}, argument{};
    std::size_t at = 0; // of the name or argument in the text, or where the part begins; from 0
    std::vector<std::unique_ptr<Node>> operands{};

    bool is(const char* operation) const { return kind == Kind::Operation && name == operation; }
  };
  const Node& root() const { return *root_; }

  // Returns the parts that must all be true: a and b of `a && b`.
  std::vector<const Node*> conjunct_nodes() const;

  // evaluate() for a part. Names in `bound` have these values.
  struct Bound {
    const std::string& name;
    double value;
    const Bound* outer = nullptr;
  };
  static std::optional<double> evaluate(const Node& part, const Lookup& lookup,
                                        const Bound* bound = nullptr);

  // Returns an error that names the place in the text: "'n + x', character 5: …".
  ExpressionError error_at(std::size_t at, const std::string& why) const;

private:
  std::string text_;
  std::unique_ptr<Node> root_;
};

} // namespace gputest::model
