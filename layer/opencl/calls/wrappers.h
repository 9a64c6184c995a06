// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces the calls in which the layer takes part.
#pragma once

#include "layer/opencl/implementation.h"
#include "layer/opencl/services.h"

#include <memory>

namespace gputest::layer {

// Replaces entries of `dispatch`, a copy of the OpenCL implementation's. The new functions forward
// to the implementation and run instrumented kernels in place of the program's. Called once in a
// process. Their data exists until the process ends, because programs call OpenCL from destructors
// of static objects.
void install_wrappers(cl_icd_dispatch& dispatch, std::unique_ptr<Services> services);

} // namespace gputest::layer
