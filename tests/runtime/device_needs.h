// For tests that need an OpenCL device.
#pragma once

#include "process/child.h"
#include "runtime/machine/opencl/device.h"
#include "tests/needs.h"

#include <stdexcept>
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

// The same, asked in a process of its own: forks of a process that has asked OpenCL may hang.
inline void require_device_elsewhere() {
  process::Child child = process::Child::fork([] { runtime::list_devices(); });
  needs("device", child.wait().exit_code == 0, "there is no OpenCL device");
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
inline void require_cpu_elsewhere() {
  process::Child child = process::Child::fork([] {
    if (runtime::choose_device("").type != "cpu")
      throw std::runtime_error("the OpenCL device is no CPU");
  });
  needs("cpu", child.wait().exit_code == 0, "there is no OpenCL device, or it is no CPU");
}

} // namespace gputest::tests
