// For tests that need Z3.
#pragma once

#include "testgen/solve/z3_process.h"
#include "tests/needs.h"

namespace gputest::tests {

// Skips the case where there is no gputest-solver. Its need is "solver".
inline void require_solver() {
  needs("solver", !testgen::solver_program().empty(), "there is no gputest-solver: install Z3");
}

} // namespace gputest::tests
