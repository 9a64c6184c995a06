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

// What may give anything, as C has it.
struct Undefined {
  bool quotients = false; // divisions by 0; otherwise they give what SMT-LIB says
  bool shifts = false;    // by too much; otherwise the amount is taken modulo the width
};

struct Script {
  Question question;     // values wanted: of inputs, "u<unit>"
  bool floating = false; // there are floating-point operations
};

// That all conditions hold. Functions of the library may give anything, and so may conversions of
// floating-point numbers that do not fit: what no value satisfies here, none satisfies in the
// kernel.
Script script_of(const Table& table, const std::vector<Label>& conditions, Theory theory,
                 Undefined undefined = {});

} // namespace gputest::testgen
