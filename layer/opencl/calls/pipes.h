// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes of programs whose devices have none, where launches run in the simulator.
#pragma once

#include "layer/opencl/implementation.h"

namespace gputest::layer {

// Replaces clCreatePipe(), clGetPipeInfo() and, for pipes, clGetMemObjectInfo(). Called once in a
// process, after make_shared(), and only where launches run in the simulator.
void take_pipes(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
