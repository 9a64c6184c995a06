// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides who is wrong where a device computes something else with mutants.cl than with the
// original: the simulator is the third judge, and two against one decide.
#pragma once

#include "model/mutation/guilty.h"
#include "model/mutation/mutants.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

#include <string>

namespace gputest::runtime {

using model::Guilty;

// What the device runs of a case.
struct Disputed {
  Machine& machine;
  BuiltKernel& original;
  BuiltKernel& variant;
  bool with_state = true; // of the variant
  std::string text;       // of the variant
};

// Runs the case of the plan with both in the simulator, and again on the device. Never throws what
// the simulator throws: it cannot tell then.
Guilty third_judge(const Plan& plan, const model::MutantTable& table, std::size_t test_case,
                   const Disputed& disputed);

} // namespace gputest::runtime
