// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a launch repeatedly from the memory that it found.
#pragma once

#include "layer/instrumentation/trials.h"
#include "layer/opencl/given_argument.h"
#include "layer/opencl/implementation.h"
#include "layer/opencl/launch_call.h"

#include <vector>

namespace gputest::layer {

// A queue for the same device as another one. Commands that the program has put into its own queue
// since, perhaps to wait for something that only it can do, do not hold up trials.
class QueueBeside {
public:
  // Throws std::runtime_error.
  explicit QueueBeside(cl_command_queue queue);
  QueueBeside(const QueueBeside&) = delete;
  QueueBeside& operator=(const QueueBeside&) = delete;
  ~QueueBeside();

  cl_command_queue get() const { return queue_; }

private:
  cl_command_queue queue_ = nullptr;
};

// The memory of a launch's arguments. The destructor restores it.
class LaunchMemory {
public:
  // Everything before the launch must be complete. Throws std::runtime_error.
  LaunchMemory(cl_command_queue queue, std::vector<GivenArgument> given);
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;
  ~LaunchMemory();

  const std::vector<GivenArgument>& arguments() const { return given_; }
  // Returns what the memory holds now, by argument; empty for arguments without memory. Throws
  // std::runtime_error.
  const std::vector<runtime::Bytes>& read();
  // Writes back what the memory held at first, where that differs from what was read last. Throws
  // std::runtime_error.
  void restore();

private:
  cl_command_queue queue_;
  std::vector<GivenArgument> given_;
  std::vector<runtime::Bytes> before_, now_;
};

// Makes `launches`, or where there are none the launch of `call`, with `kernel`, whose last
// argument is the state. Waits for the end of all that is in its queue. Returns false if the device
// refuses it. Throws std::runtime_error.
bool launch_with_state(const LaunchCall& call, cl_kernel kernel, cl_uint state_argument,
                       const std::vector<Launch>& launches, runtime::Bytes& state);

} // namespace gputest::layer
