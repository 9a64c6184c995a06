// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one header that includes CL/opencl.hpp. Calls are those of OpenCL 1.2, and failures are
// exceptions.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120

#include <CL/opencl.hpp>

#include "gputest/error.h"

#include <string>
#include <utility>

namespace gputest::runtime {

// Returns "CL_INVALID_WORK_GROUP_SIZE". A number that OpenCL 1.2 does not know stays a number.
std::string error_name(cl_int error);

// Returns an implementation's text without the spaces and zeros at its end. Some implementations
// count the terminating zero.
std::string clean(std::string text);

// Returns "clEnqueueNDRangeKernel failed: CL_OUT_OF_RESOURCES (-5)", with `context` before it.
DeviceError device_error(const cl::Error& error, const std::string& context);

// Calls `call`, and turns a cl::Error into a DeviceError.
template <typename Call> auto checked(const std::string& context, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const cl::Error& error) {
    if (error.err() == CL_OUT_OF_HOST_MEMORY)
      throw OutOfMemory(device_error(error, context).what());
    throw device_error(error, context);
  }
}

} // namespace gputest::runtime
