// For tests that need an OpenCL device.
#pragma once

#include "runtime/machine/opencl/device.h"
#include "tests/needs.h"

#include <string>

namespace gputest::tests {

// Skips the case where there is no device. Its need is "device".
inline void require_device() {
  std::string why;
  try {
    runtime::list_devices();
  } catch (const NoDevice& error) {
    why = error.what();
  }
  needs("device", why.empty(), why);
}

// Skips the case unless the device is a CPU. Its need is "cpu".
inline void require_cpu() {
  std::string why;
  try {
    if (runtime::choose_device("").type != "cpu")
      why = "the OpenCL device is no CPU";
  } catch (const NoDevice& error) {
    why = error.what();
  }
  needs("cpu", why.empty(), why);
}

} // namespace gputest::tests
