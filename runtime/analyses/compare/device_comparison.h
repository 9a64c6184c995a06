// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the simulator with an OpenCL device: whether both compute the same, and what each costs.
#pragma once

#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Runs every case on an OpenCL device and in the simulator, as run_side_by_side() does.
// GPUTEST_OPENCL_DEVICE names the device; without it, it is device 0. The simulator uses the plan's
// checks and orders, but findings of checks are not reported. Outputs must agree within the case's
// tolerance. Where the case has none, floating-point numbers may be kUlp representable values
// apart, and integers must be equal. The result is <results>/comparison-simulator.json.
constexpr unsigned kUlp = 4;
int compare_with_device(const Plan& plan, unsigned runs);

// Opens that device. Throws NoDevice if it is not there.
std::unique_ptr<Machine> open_compared_device(const Plan& plan);

} // namespace gputest::runtime
