// Expressions in the language of SMT solvers.
#pragma once

#include "testgen/concolic/table.h"
#include "testgen/solve/z3_process.h"

#include <vector>

namespace gputest::testgen {

// What to do with floating-point operations.
enum class Theory {
  BitVectors,   // anything may come of them
  FloatingPoint // theirs
};

struct Script {
  Question question;     // values wanted: of inputs, "u<unit>"
  bool floating = false; // there are floating-point operations
};

// That all conditions hold. Functions of the library may give anything, and so may conversions of
// floating-point numbers that do not fit, and divisions by 0 what SMT-LIB says: what no value
// satisfies here, none satisfies in the kernel. `any_quotient`: divisions by 0 may give anything,
// too, as C has it and devices do.
Script script_of(const Table& table, const std::vector<Label>& conditions, Theory theory,
                 bool any_quotient = false);

} // namespace gputest::testgen
