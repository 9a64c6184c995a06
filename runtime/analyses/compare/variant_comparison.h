// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the instrumented kernel with the original: both must leave the same memory, bit for bit.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Runs every case with both kernels, as run_side_by_side() does, and returns what that returns. All
// buffers and images must be the same. The variant is that of the plan's analysis
// (AnalysisRun::variant). The result is <results>/comparison.json, or what AnalysisRun::comparison
// says.
int compare_variants(const Plan& plan, const KernelDescription& description, unsigned runs);

} // namespace gputest::runtime
