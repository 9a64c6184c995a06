// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of clEnqueueNDRangeKernel or clEnqueueTask.
#pragma once

#include "gputest/launch.h"
#include "layer/opencl/implementation.h"

#include <span>
#include <vector>

namespace gputest::layer {

struct LaunchCall {
  cl_command_queue queue = nullptr;
  bool is_task = false;
  cl_uint dimensions = 1;
  const std::size_t* offset = nullptr;
  const std::size_t* global = nullptr;
  const std::size_t* local = nullptr;
  cl_uint count = 0; // number of events to wait for
  const cl_event* events = nullptr;
  cl_event* event = nullptr;

  // Launches `kernel` instead of the call's own.
  cl_int enqueue(cl_kernel kernel) const;
  // Makes `launches` in place of the call's own, one after the other. Each is done before the next
  // begins.
  cl_int enqueue(cl_kernel kernel, std::span<const Launch> launches) const;
  // Returns the sizes of the launch. A local size of 0 means that the device chooses.
  Launch sizes() const;
  // Returns the same call, which waits for other events and returns its own event in another place.
  LaunchCall with(const std::vector<cl_event>& waits, cl_event* own) const;
};

// Waits until everything before the call is complete. Throws std::runtime_error where that is not
// to be expected, or fails.
void wait_for_turn(const LaunchCall& call);

} // namespace gputest::layer
