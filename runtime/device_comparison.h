// The simulator beside an OpenCL device: the same results, and what either costs.
#pragma once

#include "runtime/plan.h"

namespace gputest::runtime {

// Runs every case on the device that GPUTEST_OPENCL_DEVICE names (none: the first) and in the
// simulator, with the plan's checks and orders, `runs` times in turn after one turn that is not
// timed, in a worker. Integers must be the same bit for bit, floating-point numbers within the
// case's tolerance, or where it has none within kUlp. Prints a line for each case with the median
// times of the launches; writes the single times to <results>/comparison-simulator.json. Returns 1
// when a case differs, crashes or times out, or could not be launched, else 0. Findings of checks
// are not reported.
constexpr unsigned kUlp = 4;
int compare_with_simulator(const Plan& plan, unsigned runs);

} // namespace gputest::runtime
