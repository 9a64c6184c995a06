// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs with which the other value that a mutant computes reaches an output.
//
// A weak kill is an input with which the mutant's expression has another value and no output shows
// it. The original and the mutant are traced with that input side by side, and the solver is asked
// for inputs with which an output is another one, or a decision goes another way, because of that
// value (comparison/joint_questions.h).
#pragma once

#include "testgen/input_search.h"
#include "testgen/kills.h"

namespace gputest::testgen {

// Asks so about each mutant that is left, from small inputs of the search that kill it weakly, and
// offers the answers to the search.
void propagate(const Target& target, const Constraints& constraints, Kills& kills,
               InputSearch& search, Deadline until);

} // namespace gputest::testgen
