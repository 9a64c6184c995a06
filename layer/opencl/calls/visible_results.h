// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the calls after which a program can see what its kernels did.
#pragma once

#include "layer/opencl/implementation.h"

namespace gputest::layer {

// Replaces the entries that wait, read, map and release by functions that collect what kernels
// recorded, and note what is read back. Called once in a process, after make_shared().
void watch_results(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
