// What a device says of a built kernel's arguments (clGetKernelArgInfo).
#pragma once

#include "runtime/machine/opencl/device.h"
#include "runtime/machine/signature.h"

namespace gputest::runtime {

// Names and types are those that the author wrote. A device need not tell them of a program that
// is built without -cl-kernel-arg-info. Throws cl::Error.
Signature signature_of(const cl::Kernel& kernel, const Device& device);

} // namespace gputest::runtime
