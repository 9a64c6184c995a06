// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that bring SPIR-V, or whose kernels enqueue blocks or have pipes. Where the OpenCL
// implementation takes none and launches run in the simulator, a program of the implementation's
// stands in for the program's: its kernels have the same names and arguments and do nothing.
#pragma once

#include "layer/opencl/builds/build.h"
#include "layer/opencl/implementation.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::layer {

// Returns what takes the place of clCreateProgramWithILKHR() where launches run in the simulator;
// otherwise nullptr.
void* stand_in_for_il();

// Returns a program, built or compiled, whose kernels stand in for those of a program that cannot
// be because it enqueues blocks or has pipes. Returns nullptr where that is not why.
enum class Made { Built, Compiled };
cl_program stand_in_for_source(cl_program program, const Unit& unit, Made made);

// Links programs if one of them stands in. The implementation makes what the options ask for, such
// as a library.
struct LinkCall {
  cl_context context;
  cl_uint count; // of devices
  const cl_device_id* devices;
  const char* options;
  const std::vector<cl_program>& inputs;
};
cl_program link_stand_ins(const LinkCall& call, cl_int* error);

// Creates a program if these are binaries that info_of_stand_in() has given.
cl_program stand_in_for_binaries(cl_context context,
                                 const std::vector<std::span<const std::byte>>& binaries,
                                 cl_int* statuses, cl_int* error);

// Answers, for a program that stands in, what its implementation cannot; nullopt: it can.
std::optional<cl_int> info_of_stand_in(cl_program program, cl_program_info name, std::size_t size,
                                       void* value, std::size_t* size_ret);

// Replaces clCreateProgramWithIL(), clCreateCommandQueueWithProperties() for queues of devices, and
// clGetDeviceInfo() where it is asked for versions of SPIR-V, extensions, queues and pipes of
// devices, and what take_pipes() replaces.
// Called once in a process, after make_shared().
void take_modules(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
