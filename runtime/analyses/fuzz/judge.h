// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --judge: `gputest fuzz` launches the kernel in the simulator, and the host program judges what
// these launches left. It asks the reference, the property and the device.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Answers questions until the other end closes the socket (runtime/cases/judged_launch.h). Throws
// UsageError where no other end is there. Opening a device throws as usual, except NoDevice: then
// no device is asked.
int run_judge(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
