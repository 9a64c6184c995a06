// OpenCL devices as machines.
#pragma once

#include "runtime/machine/kind.h"
#include "runtime/machine/opencl/device.h"

namespace gputest::runtime {

// An OpenCL device. `context` must live as long.
std::unique_ptr<Machine> opencl_machine(const Context& context);

// The row of OpenCL devices: any of choose_device()'s names means one.
MachineKind opencl_kind();

} // namespace gputest::runtime
