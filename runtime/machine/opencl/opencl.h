// The one place that includes CL/opencl.hpp: calls are OpenCL 1.2, failures are exceptions.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120

#include <CL/opencl.hpp>

#include "gputest/error.h"

#include <string>
#include <utility>

namespace gputest::runtime {

// "CL_INVALID_WORK_GROUP_SIZE"; numbers unknown to OpenCL 1.2 as they are.
std::string error_name(cl_int error);

// A text that an implementation gives, without spaces at its end: some count the terminating zero.
std::string clean(std::string text);

// "clEnqueueNDRangeKernel failed: CL_OUT_OF_RESOURCES (-5)", with `context` before it.
DeviceError device_error(const cl::Error& error, const std::string& context);

// Calls `call`; a cl::Error it throws becomes a DeviceError.
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
