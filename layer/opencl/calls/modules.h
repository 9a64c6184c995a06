// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that bring SPIR-V. Where the OpenCL implementation takes none and launches run in the
// simulator, a program of the implementation's stands in for the module: its kernels have the same
// names and arguments and do nothing.
#pragma once

#include "layer/opencl/implementation.h"

namespace gputest::layer {

// Returns what takes the place of clCreateProgramWithILKHR() where launches run in the simulator;
// otherwise nullptr.
void* stand_in_for_il();

// Replaces clCreateProgramWithIL(), and clGetDeviceInfo() where it is asked for versions of SPIR-V
// and for extensions.
// Called once in a process, after make_shared().
void take_modules(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
