// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds reads of images whose sampler makes the value undefined.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator {

// A pass of the check of bounds. Reports `undefined_read` where the sampler, at run time, is none
// that OpenCL C allows for the function (OpenCL C 1.2, 6.12.14.2 and 6.12.14.3).
void check_samplers(CheckedKernel& kernel);

} // namespace gputest::simulator
