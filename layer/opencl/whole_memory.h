// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes the whole content of a launch's buffers and images at once.
#pragma once

#include "layer/opencl/given_argument.h"
#include "layer/opencl/implementation.h"
#include "runtime/cases/bytes.h"

#include <vector>

namespace gputest::layer {

// In all functions, `argument` has memory, and `bytes` has argument.size bytes: pixels without
// gaps.

// Enqueues the command that reads the argument, after `waits`. `event`, if it is not null, becomes
// the command's event. Returns what the OpenCL implementation returns.
cl_int enqueue_read(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes,
                    cl_bool blocking, const std::vector<cl_event>& waits, cl_event* event);

// Read and write at once. All earlier commands in `queue` must be complete. Memory that the host
// may not access goes through a buffer of the layer's own. Throw std::runtime_error with the
// argument's name.
void read_whole(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes);
void write_whole(cl_command_queue queue, const GivenArgument& argument,
                 const runtime::Bytes& bytes);

} // namespace gputest::layer
