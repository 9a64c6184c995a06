// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases whose kernel relies on lock step (gputest::Launch::lock_step).
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Takes those cases out of the plan that rely on lock step, if the machine that is to run them does
// not promise it, and prints why. Throws NoDevice if no case is left, and what opening the machine
// throws.
void skip_without_lock_step(Plan& plan);

} // namespace gputest::runtime
