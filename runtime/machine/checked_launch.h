// A launch in the simulator, and what may only be seen in another order.
#pragma once

#include "model/language.h"
#include "runtime/machine/machine.h"

#include <vector>

namespace gputest::runtime {

// Launches `kernel`, of `machine`, which takes instructions, as its simulation says. Where that
// ends well and has work-groups in ascending order, once more in descending order, on a copy of
// what there was before: without checks, or where the kernel does harm with those of its checks
// that prevent it. A work-group that waits for an earlier one then waits forever, which is a
// finding of the kind inter_group_dependency; none of the second launch is fatal. That launch may
// take 20 times as long as the first and a second more, but never longer than the simulation's
// limit. `language`: that of the kernel, for words.
LaunchOutcome checked_launch(Machine& machine, BuiltKernel& kernel, const Launch& launch,
                             std::vector<LaunchArgument>& arguments, model::Language language);

// No finding says that the launch ended there.
bool ended_well(const std::vector<model::Finding>& findings);

} // namespace gputest::runtime
