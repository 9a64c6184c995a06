// Functions of extensions, which a program asks the driver for by name: calls of them pass by the
// layer.
#pragma once

#include <CL/cl_icd.h>
#include <functional>

namespace gputest::layer {

// Replaces the entries that hand out functions. `recorded`: what is told of each kernel that is put
// into a command buffer (cl_khr_command_buffer). Once in a process.
void install_extensions(cl_icd_dispatch& dispatch, std::function<void(cl_kernel)> recorded);

} // namespace gputest::layer
