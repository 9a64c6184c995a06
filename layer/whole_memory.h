// The whole content of a launch's buffers and images, read and written at once.
#pragma once

#include "layer/given_argument.h"
#include "runtime/bytes.h"

#include <CL/cl.h>

namespace gputest::layer {

// `argument` has memory; `bytes` are argument.size bytes, pixels without gaps. All commands before
// it in `queue` must be complete. Memory that the host may not access goes through a buffer of our
// own. Throw std::runtime_error, with the argument's name.
void read_whole(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes);
void write_whole(cl_command_queue queue, const GivenArgument& argument,
                 const runtime::Bytes& bytes);

} // namespace gputest::layer
