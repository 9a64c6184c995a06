// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the check HOST what the program calls. Installed above all other wrappers, whose functions
// these call.
#pragma once

#include "layer/opencl/implementation.h"

namespace gputest::layer {

// make_shared() must have been called, and shared().host exist.
void watch_host(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
