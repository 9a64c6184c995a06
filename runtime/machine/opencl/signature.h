// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks a device about a built kernel's arguments (clGetKernelArgInfo).
#pragma once

#include "runtime/machine/opencl/device.h"
#include "runtime/machine/signature.h"

namespace gputest::runtime {

// Returns the kernel's arguments, with the author's names and types. A device need not report them
// for a program that is built without -cl-kernel-arg-info. Throws cl::Error.
Signature signature_of(const cl::Kernel& kernel, const Device& device);

} // namespace gputest::runtime
