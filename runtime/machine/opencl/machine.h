// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL devices as machines.
#pragma once

#include "runtime/machine/kind.h"
#include "runtime/machine/opencl/device.h"

namespace gputest::runtime {

// Returns the device of `context` as a machine. `context` must outlive it.
std::unique_ptr<Machine> opencl_machine(const Context& context);

// Returns the row of OpenCL devices. Any name that choose_device() takes means one.
MachineKind opencl_kind();

} // namespace gputest::runtime
