// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch of one kernel on an OpenCL device: memory objects, guard zones, arguments, NDRange,
// read-back.
#pragma once

#include "runtime/cases/argument.h"
#include "runtime/machine/launch_outcome.h"
#include "runtime/machine/opencl/program.h"

#include <vector>

namespace gputest::runtime {

// Launches `kernel` with `arguments` in order of position, and waits for it. `kernel` must have no
// arguments set, because devices count those of earlier launches. A non-empty `state` becomes one
// more, trailing buffer argument and is read back.
//
// A guard zone lies behind each buffer (runtime/cases/guard_zone.h).
//
// Throws UsageError where no device can launch the NDRange (a size of 0, or no multiple of the
// local size), and DeviceError where this device cannot, or a call fails.
LaunchOutcome launch_kernel(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                            std::vector<LaunchArgument>& arguments, Bytes& state);

} // namespace gputest::runtime
