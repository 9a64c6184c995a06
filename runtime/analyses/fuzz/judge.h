// --judge: says of launches that `gputest fuzz` made in the simulator whether they left what the
// reference, the property and the device say.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Answers until the other end is closed (runtime/cases/judged_launch.h). Throws UsageError where
// nobody asks, and what opening a device throws but NoDevice.
int run_judge(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
