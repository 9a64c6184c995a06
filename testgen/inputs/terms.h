// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole numbers of expressions as labels of 64 bits, with what they may be.
#pragma once

#include "model/expressions/expression.h"
#include "testgen/concolic/table.h"

#include <optional>
#include <string>

namespace gputest::testgen {

using Term = model::Expression::Term;

// Returns the label, of 1 bit, that the term is not 0.
Label is_true(Table& table, const Term& term);
// Returns 1 or 0 for a condition of 1 bit.
Term truth(Table& table, Label condition);
// nullopt: it is not whole, or too large to be exact.
std::optional<Term> number_term(Table& table, double number);
// Returns the value of an operator, as expressions compute it. "!" gets its operand twice. nullopt:
// it may not be exact.
std::optional<Term> operation_term(Table& table, const std::string& name, const Term& a,
                                   const Term& b);

} // namespace gputest::testgen
