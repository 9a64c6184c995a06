// The instrumented kernel beside the original: the same memory, bit for bit, and what it costs.
#pragma once

#include "gputest/harness.h"
#include "runtime/plan.h"

namespace gputest::runtime {

// Runs every case with both kernels, `runs` times in turn after one turn that is not timed, in a
// worker. Prints for each case whether all buffers and images ended up the same, and the median
// times of the launches; writes the single times to <results>/comparison.json. Returns 1 when a
// case differs, crashes or times out, or one kernel could not be launched, else 0.
int compare_variants(const Plan& plan, const KernelDescription& description, unsigned runs);

} // namespace gputest::runtime
