// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --memory: the launches of a program on the model of a GPU.
#pragma once

#include "driver/run/request.h"

namespace gputest::driver {

// Runs the program, and prints its kernels by the cycles of the model (program/memory.h). Returns
// the exit code. 1: a limit does not hold, the program fails, or nothing was modelled. 77: the
// program ends with 77 before it has launched anything. Throws CommandError where no launch of a
// program of this kind can be kept.
int run_memory(const ProgramRequest& request);

} // namespace gputest::driver
