// The driver's own functions, as the loader handed them over: what the layer calls, and what the
// runtime's code in it calls under their OpenCL names (driver_calls.cpp). Never the loader's: a
// program may bring a loader of its own, and calls through it would come back here.
#pragma once

#include <CL/cl_icd.h>

namespace gputest::layer {

// Set once, while the loader initialises the layer.
// `count`: of the entries that the loader has.
void set_driver(const cl_icd_dispatch& target, cl_uint count);
const cl_icd_dispatch& driver();

// Has the command ended, well or not?
bool is_over(cl_event event);

} // namespace gputest::layer
