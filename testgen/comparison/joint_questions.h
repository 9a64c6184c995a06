// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the solver for inputs with which two kernels decide or compute something else.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"
#include "testgen/comparison/pairing.h"
#include "testgen/goals/deadline.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gputest::testgen {

// What came of the questions.
struct JointAnswers {
  std::size_t asked = 0;
  std::size_t excluded = 0; // questions to which no input is an answer, proved by Z3
  std::size_t found = 0;    // inputs
  // None was left out because there are many, because time was over, or because a kernel accesses
  // an address that depends on inputs, of which only that of the run is looked at.
  bool all = false;
  std::string failed{}; // why there were no questions
  bool late = false;    // the clock ended a launch of an input, about which there were no questions

  // Adds what was not asked, for people, where it is not told already.
  void add_notes(std::vector<std::string>& notes) const;
};

// A process that runs both kernels, and keeps what it knows from question to question. What is
// asked is limited by steps of Z3 and of the search, so that it is the same on a busy machine.
class JointSolver {
public:
  // References must outlive the solver.
  JointSolver(const Target& first, const Target& second, const Pairing& pairing)
      : first_(first), second_(second), pairing_(pairing) {}

  // Runs both kernels with each of the inputs, which are the second's, and asks for other values of
  // their arguments with which
  // - an output differs while both kernels keep their paths, or
  // - one kernel keeps its path and the other makes a decision the other way.
  // Calls `found` for each answer; only runs show whether the kernels differ with it. The process
  // is killed at the deadline, and begins anew when it is asked again.
  JointAnswers ask(std::span<const Input> inputs, Deadline until,
                   const std::function<void(const Input&)>& found);

private:
  void start();
  process::Ended stop();

  const Target &first_, &second_;
  const Pairing& pairing_;
  process::Descriptor socket_;
  process::Child process_;
};

} // namespace gputest::testgen
