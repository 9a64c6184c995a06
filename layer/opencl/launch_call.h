// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of clEnqueueNDRangeKernel or clEnqueueTask.
#pragma once

#include "gputest/launch.h"
#include "layer/opencl/implementation.h"

#include <chrono>
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

// When everything before a call is complete.
class Turn {
public:
  // Throws std::runtime_error.
  explicit Turn(const LaunchCall& call);
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn();

  // Throws std::runtime_error if what the call waits for failed.
  bool comes_within(std::chrono::milliseconds time) const;
  void wait() const; // Does the same, without an end.

private:
  cl_event event_ = nullptr;
};

// Whether the call waits for an event that the program itself sets, and has not set.
bool waits_for_program(const LaunchCall& call);

// Whether a queue runs its commands one after the other.
bool is_in_order(cl_command_queue queue);

// Waits until everything before the call is complete. Throws std::runtime_error where that is not
// to be expected, or fails.
void wait_for_turn(const LaunchCall& call);

} // namespace gputest::layer
