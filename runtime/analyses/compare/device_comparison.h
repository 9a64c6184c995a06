// The simulator beside an OpenCL device: the same results, and what either costs.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Runs every case on the device that GPUTEST_OPENCL_DEVICE names (none: the first) and in the
// simulator, with the plan's checks and orders, as run_side_by_side does. Integers must be the same
// bit for bit, floating-point numbers within the case's tolerance, or where it has none within
// kUlp. The result is <results>/comparison-simulator.json. Findings of checks are not reported.
constexpr unsigned kUlp = 4;
int compare_with_device(const Plan& plan, unsigned runs);

} // namespace gputest::runtime
