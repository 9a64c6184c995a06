// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the functions of extensions. A program asks the OpenCL implementation for them by name,
// so calls of them bypass the layer.
#pragma once

#include "layer/opencl/implementation.h"

#include <functional>

namespace gputest::layer {

// Replaces the entries that hand out functions. `recorded` is called with each kernel that is put
// into a command buffer (cl_khr_command_buffer). Called once in a process.
void install_extensions(cl_icd_dispatch& dispatch, std::function<void(cl_kernel)> recorded);

} // namespace gputest::layer
