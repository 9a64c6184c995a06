// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on a kernel's inputs, as REQUIRE has them: which arguments they may name, what values
// these have, and where an input breaks one.
#pragma once

#include "model/expressions/expression.h"
#include "model/type.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

// An argument, as far as conditions ask about it.
struct ConditionArgument {
  bool is_buffer = false; // it has elements with values; not so: __local memory, images
  std::span<const model::Leaf> leaves; // the scalars of a value or an element
  std::size_t element_size = 1;        // bytes
  std::size_t elements = 0;
  std::span<const std::byte> bytes{};
};

// Throws ExpressionError with the place in the text if the kernel has no argument of a name, or if
// it is not of the kind that the condition needs, such as permutation() of `float`s. `find` returns
// nullopt for an unknown name.
using FindArgument = std::function<std::optional<ConditionArgument>(const std::string&)>;
void check_condition(const model::Expression& condition, const std::string& kernel,
                     const FindArgument& find);

// Returns the value of `name`, `name[i]`, `size(name)`, `sum(name)`, `ascending(name)`, …. nullopt:
// it has none with these bytes. The reference is none to a size of the launch. Comparisons are
// exact for all types. A NaN is in no order, and equal to nothing.
std::optional<double> value_in(const ConditionArgument& argument,
                               const model::Expression::Reference& reference);

// Returns the first part of the condition that does not hold and where, such as
// "ascending(row_start): row_start[2] is 1 after 4". Empty: the condition holds.
std::string breach_of(const model::Expression& condition, const model::Expression::Lookup& lookup,
                      const FindArgument& find);

} // namespace gputest::runtime
