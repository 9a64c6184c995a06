// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's constraints on a kernel's inputs. Every generated input obeys them.
#pragma once

#include "model/expressions/expression.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

using model::Expression;
using model::ExpressionError;

// Returns the value of a reference of an expression: a scalar argument, an element of a buffer, its
// size, or a size of the launch. nullopt: it has none with this input.
std::optional<double> value_of(const Target& target, const Input& input,
                               const Expression::Reference& reference);

// The values that each scalar of an argument may have.
struct Domain {
  std::optional<double> low{}, high{}; // both included
  std::vector<double> values{};        // these and no others; empty: any
};

class Constraints {
public:
  // Adds one of the ARGUMENTS of gputest_add_kernel(), such as "n=range(1,256)",
  // "mode=values(0,1,4)", "data:size=n*m,range(0,1)" or "mask:nullable". Defaults for cases, such
  // as "n=4" and "data:size=64,fill=iota", are no constraints. Throws ExpressionError with the text
  // if the kernel has no such argument or the constraint does not fit it.
  void add_argument(const Target& target, const std::string& text);

  // Adds a predicate that must not be 0. `size(data) == n` sets the size of data if no argument
  // does. Throws ExpressionError.
  void add_requirement(const Target& target, const std::string& text);

  std::vector<Shape> shapes;       // launches have one of these; empty: any
  bool cases_have_offsets = false; // a known case, or the default of cases, is no 0

  // Returns the shapes, what ARGUMENTS say of values and sizes, and cases_have_offsets.
  Constraints without_requirements() const;

  // Null: any values.
  const Domain* domain(std::size_t position) const;
  // Returns the number of elements that a buffer or __local memory must have. nullopt: there is no
  // constraint, or its value does not exist, is below 0, or exceeds every possible buffer.
  std::optional<std::size_t> size(const Target& target, const Input& input,
                                  std::size_t position) const;
  // Whether a buffer may be a null pointer because the user says so.
  bool is_nullable(std::size_t position) const { return nullable_.contains(position); }
  bool has_size(std::size_t position) const { return sizes_.contains(position); }
  bool empty() const { return domains_.empty() && requirements_.empty(); } // sizes do not count
  bool names_offset() const { return names_offset_; } // a requirement is about global_offset(d)
  bool has_requirements() const { return !requirements_.empty(); }
  const std::vector<Expression>& requirements() const { return requirements_; }
  // Returns whether values are in their domains, sizes are the given ones, and requirements hold.
  bool hold(const Target& target, const Input& input) const;

private:
  bool depends_on_itself(const Target& target, std::size_t position) const; // through other sizes

  std::map<std::size_t, Domain> domains_; // by position
  std::map<std::size_t, Expression> sizes_;
  std::set<std::size_t> nullable_;
  bool names_offset_ = false;
  std::set<std::size_t> required_sizes_; // of these: those that a requirement gives
  std::vector<Expression> requirements_;
};

// Whether the kernel or the user expects a null pointer there; and the positions where one does.
bool may_be_null(const Target& target, const Constraints& constraints, std::size_t position);
std::vector<std::size_t> nullable(const Target& target, const Constraints& constraints);

// Whether a requirement is about global_offset(d).
bool names_offset(const Expression& requirement);

// Whether inputs get global offsets: where the kernel or a requirement asks for it, or a known case
// has one, and the language has any.
bool has_offsets(const Target& target, const Constraints& constraints);

} // namespace gputest::testgen
