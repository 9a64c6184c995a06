// The calls the layer takes part in.
#pragma once

#include "layer/services.h"

#include <CL/cl_icd.h>
#include <memory>

namespace gputest::layer {

// Replaces entries of `dispatch`, a copy of the driver's, by functions that forward to the driver
// and run instrumented kernels in place of the program's. Once in a process; what they share lives
// to its end, because programs call OpenCL from destructors of static objects.
void install_wrappers(cl_icd_dispatch& dispatch, std::unique_ptr<Services> services);

} // namespace gputest::layer
