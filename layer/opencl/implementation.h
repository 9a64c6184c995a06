// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL implementation's own functions, as the loader passed them. The layer calls these, and
// so does the runtime's code in it, under their OpenCL names (implementation.cpp). They are never
// the loader's: a program may bring a loader of its own, and calls through it would come back here.
// This is the layer's one header that includes OpenCL's.
#pragma once

#include <CL/cl_icd.h>

namespace gputest::layer {

// Called once, while the loader initialises the layer. `count`: the number of entries that the
// loader has.
void set_implementation(const cl_icd_dispatch& target, cl_uint count);
const cl_icd_dispatch& implementation();

// Returns whether the command has ended, successfully or not.
bool is_over(cl_event event);

} // namespace gputest::layer
