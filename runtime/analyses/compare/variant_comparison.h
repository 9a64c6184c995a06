// The instrumented kernel beside the original: the same memory, bit for bit, and what it costs.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Runs every case with both kernels, as run_side_by_side does: all buffers and images must end up
// the same. The result is <results>/comparison.json.
int compare_variants(const Plan& plan, const KernelDescription& description, unsigned runs);

} // namespace gputest::runtime
