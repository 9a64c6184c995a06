// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates expressions to SMT-LIB, the language of SMT solvers.
#pragma once

#include "testgen/concolic/table.h"
#include "testgen/solve/z3_process.h"

#include <vector>

namespace gputest::testgen {

// The translation of floating-point operations.
enum class Theory {
  Linear,       // as BitVectors, and products and quotients of variables may return anything, too
  BitVectors,   // they may return anything
  FloatingPoint // as SMT-LIB's floating-point operations
};

// Operations that may return anything, because C leaves them undefined.
struct Undefined {
  bool quotients = false; // divisions by 0; false: they return what SMT-LIB defines
  bool shifts = false;    // by the width or more; false: the amount is taken modulo the width
};

struct Script {
  Question question;     // asks for the values of inputs, "u<unit>"
  bool floating = false; // the expressions have floating-point operations
  bool products = false; // they have products or quotients of variables
};

// Returns the question whether all conditions can hold. Built-in functions may return anything, and
// so may conversions of floating-point numbers that do not fit. So an unsatisfiable condition is
// impossible in the kernel. `doubts`: conditions of which is asked (Question::doubts).
Script script_of(const Table& table, const std::vector<Label>& conditions, Theory theory,
                 Undefined undefined = {}, const std::vector<Label>& doubts = {});

} // namespace gputest::testgen
