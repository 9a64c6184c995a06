// The OpenCL device on which tests of passes run kernels.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#include <CL/opencl.hpp>

#include <optional>
#include <vector>

namespace gputest::tests {

// One context for all programs of a test: PoCL reads its built-in functions, 10 MB, for each.
struct Device {
  explicit Device(const cl::Device& one) : device(one), context(one) {}
  cl::Device device;
  cl::Context context;
};

inline std::optional<Device> any_device() {
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const cl::Platform& platform : platforms) {
      std::vector<cl::Device> devices;
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
      if (!devices.empty())
        return Device(devices.front());
    }
  } catch (const cl::Error&) {
  }
  return std::nullopt;
}

} // namespace gputest::tests
