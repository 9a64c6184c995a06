// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C's operators and functions for the operations of expressions.
#pragma once

#include "testgen/concolic/table.h"

#include <optional>
#include <string>

namespace gputest::testgen {

// C's precedences: an operation with a higher one needs no brackets within one with a lower one.
enum Precedence : unsigned {
  kChoice,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kLess,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary
};

struct Infix {
  const char* sign;
  Precedence precedence;
};

// nullopt: the operation is not between two operands in C.
std::optional<Infix> infix_of(const Node& node);

// Returns the function of C or OpenCL that computes it, and nullptr where there is none.
const char* function_of(Op op);

// Returns the sign of the opposite comparison; with numbers that may be a NaN, only that of
// equality. Returns nullptr where there is none.
const char* opposite_of(Op op);

// Returns the sign for exchanged operands.
std::string mirrored(const std::string& sign);

} // namespace gputest::testgen
