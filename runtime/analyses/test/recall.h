// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the verdict that a run of all cases has left, so that CTest has a test for each case of one
// run.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Prints what the last run of all cases found about those of the plan. Where that is older than the
// program, the kernel's file or a case's file, or says nothing of a case, runs them, without a
// result file. Returns the exit code of run_plan(), and throws as it does.
int recall(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
