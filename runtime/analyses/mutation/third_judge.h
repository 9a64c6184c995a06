// Decides who is wrong where a device computes something else with mutants.cl than with the
// original: the simulator is the third judge, and two against one decide.
#pragma once

#include "model/mutation/mutants.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

#include <string>

namespace gputest::runtime {

enum class Guilty {
  Unknown,  // all three differ, or the simulator cannot tell
  Original, // the device's compiler translates the author's kernel wrongly
  Variant,  // the device's compiler translates mutants.cl wrongly
  Gputest   // mutants.cl is wrong in the simulator, too
};

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

// Returns what to say about the case, for people. `wrong`: what mutants.cl computes and the
// original does not. `variant`: the file.
std::string blame_text(Guilty guilty, const std::string& wrong, const std::string& variant);

} // namespace gputest::runtime
