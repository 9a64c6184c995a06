// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the check HOST of the commands that the program enqueues.
#pragma once

#include "layer/opencl/implementation.h"

namespace gputest::layer {

void watch_transfers(cl_icd_dispatch& dispatch);

} // namespace gputest::layer
