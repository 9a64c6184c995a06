// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases whose kernel relies on lock step (gputest::Launch::lock_step).
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// What runs the plan's cases: its analysis, a comparison with a variant of the kernel on the plan's
// machine, or one of this machine with a device (compare/device_comparison.h).
enum class RunBy { Analysis, Comparison, ComparisonWithDevice };

// Takes those cases out of the plan that rely on lock step, if a machine that is to run them does
// not promise it, and prints why. Throws NoDevice if no case is left, and what opening the machine
// throws.
void skip_without_lock_step(Plan& plan, RunBy by);

} // namespace gputest::runtime
