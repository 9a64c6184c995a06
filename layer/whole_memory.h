// The whole content of a launch's buffers and images, read and written at once.
#pragma once

#include "layer/given_argument.h"
#include "runtime/cases/bytes.h"

#include <CL/cl.h>
#include <vector>

namespace gputest::layer {

// `argument` has memory; `bytes` are argument.size bytes, pixels without gaps.

// The command that reads it, after `waits`; `event`, if it is not null, becomes its own. Returns
// what the driver does.
cl_int enqueue_read(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes,
                    cl_bool blocking, const std::vector<cl_event>& waits, cl_event* event);

// All commands before these in `queue` must be complete. Memory that the host may not access goes
// through a buffer of our own. Throw std::runtime_error, with the argument's name.
void read_whole(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes);
void write_whole(cl_command_queue queue, const GivenArgument& argument,
                 const runtime::Bytes& bytes);

} // namespace gputest::layer
