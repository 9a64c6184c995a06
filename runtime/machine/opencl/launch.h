// One launch of one kernel on an OpenCL device: memory objects, guard zones, arguments, NDRange,
// read-back.
#pragma once

#include "runtime/cases/argument.h"
#include "runtime/machine/launch_outcome.h"
#include "runtime/machine/opencl/program.h"

#include <vector>

namespace gputest::runtime {

// Launches `kernel` (no arguments set yet: devices count those of before) with `arguments` in order
// of position and waits for it. A non-empty `state` becomes one more, trailing buffer argument and
// is read back.
//
// Behind each buffer lies a guard zone (runtime/cases/guard_zone.h).
//
// Throws UsageError where the NDRange fits no device (global size 0, not a multiple of the local
// size) and DeviceError where this device cannot do it or a call fails.
LaunchOutcome launch_kernel(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                            std::vector<LaunchArgument>& arguments, Bytes& state);

} // namespace gputest::runtime
