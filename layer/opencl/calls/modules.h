// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that bring SPIR-V, or whose kernels enqueue blocks or have pipes. Where the OpenCL
// implementation takes none and launches run in the simulator, a program of the implementation's
// stands in for the program's: its kernels have the same names and arguments and do nothing.
#pragma once

#include "layer/opencl/implementation.h"

#include <string>

namespace gputest::layer {

// Returns what takes the place of clCreateProgramWithILKHR() where launches run in the simulator;
// otherwise nullptr.
void* stand_in_for_il();

// Returns a program, built, whose kernels stand in for those of a program that does not build with
// these options because it enqueues blocks or has pipes. Returns nullptr where that is not why.
cl_program stand_in_for_source(cl_program program, const std::string& options);

// Replaces clCreateProgramWithIL(), clCreateCommandQueueWithProperties() for queues of devices, and
// clGetDeviceInfo() where it is asked for versions of SPIR-V, extensions, queues and pipes of
// devices, and what take_pipes() replaces.
// Called once in a process, after make_shared().
void take_modules(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
