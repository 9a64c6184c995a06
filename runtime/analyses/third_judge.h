// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides who is wrong where a device computes something else with an instrumented kernel than with
// the original, or where an oracle finds the original wrong on a device. The simulator is the third
// judge, and two against one decide.
#pragma once

#include "model/mutation/guilty.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/case_runner.h"
#include "runtime/plan/plan.h"

#include <cstddef>

namespace gputest::runtime {

using model::Guilty;
using model::Opinion;

// A case of a plan, and the device that ran it. The functions run it a few times more, in the
// simulator with the checks that are on by default. They never throw what the simulator throws: it
// cannot tell then. Each launch in the simulator ends within the plan's time for a case.
struct Disputed {
  const Plan& plan;
  std::size_t test_case = 0;
  Machine& device;
};

// `variant` computes something else than the original on the device.
Opinion third_judge(const Disputed& disputed, const Subject& variant);

// An oracle finds wrong what the original computes on the device. Returns whether the device is to
// blame: the original passes in the simulator, the checks find nothing, and the device computes
// something else, by more than another compiler's rounding.
bool device_is_wrong(const Disputed& disputed, const Oracles& oracles);

} // namespace gputest::runtime
