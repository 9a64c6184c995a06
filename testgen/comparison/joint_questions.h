// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the solver for inputs with which two kernels decide or compute something else.
#pragma once

#include "testgen/comparison/pairing.h"
#include "testgen/goals/deadline.h"

#include <functional>
#include <span>
#include <string>

namespace gputest::testgen {

// What came of the questions.
struct JointAnswers {
  std::size_t asked = 0;
  std::size_t excluded = 0; // questions to which no input is an answer, proved by Z3
  std::size_t found = 0;    // inputs
  std::string failed{};     // why there were no questions
};

// Runs both kernels with each of the inputs, which are the second's, and asks for other values of
// their arguments with which
// - an output differs while both kernels keep their paths, or
// - one kernel keeps its path and the other makes a decision the other way.
// Calls `found` for each answer; only runs show whether the kernels differ with it. A process of
// its own does the work; it is killed at the deadline.
JointAnswers ask_about_both(const Target& first, const Target& second, const Pairing& pairing,
                            std::span<const Input> inputs, Deadline until,
                            const std::function<void(const Input&)>& found);

} // namespace gputest::testgen
