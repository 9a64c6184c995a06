// OpenCL devices as machines.
#pragma once

#include "runtime/machine/machine.h"
#include "runtime/machine/opencl/device.h"

namespace gputest::runtime {

// An OpenCL device. `context` must live as long.
std::unique_ptr<Machine> opencl_machine(const Context& context);

} // namespace gputest::runtime
