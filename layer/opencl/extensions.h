// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the functions of extensions. A program asks the OpenCL implementation for them by name,
// so calls of them bypass the layer.
#pragma once

#include "layer/opencl/implementation.h"

#include <functional>
#include <string_view>

namespace gputest::layer {

struct Watchers {
  // A kernel was put into a command buffer (cl_khr_command_buffer).
  std::function<void(cl_kernel)> recorded;
  // A program was made of this intermediate language (cl_khr_il_program).
  std::function<void(cl_program, std::string_view)> created;
  // Returns what takes the place of clCreateProgramWithILKHR(); nullptr: the platform's.
  std::function<void*()> stand_in{[] { return nullptr; }};
};

// Replaces the entries that hand out functions. Called once in a process.
void install_extensions(cl_icd_dispatch& dispatch, Watchers watchers);

} // namespace gputest::layer
