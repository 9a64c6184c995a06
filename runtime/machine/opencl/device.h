// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the OpenCL devices, and chooses the one to use.
#pragma once

#include "runtime/machine/opencl/opencl.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct Device {
  cl::Device device;
  std::string name, platform, type, version; // type: "cpu", "gpu", "accelerator", "custom"
};

// Returns the devices of all platforms, in the loader's order. The index here is the one that users
// give. Throws NoDevice if there is none.
std::vector<Device> list_devices();

// Returns "0: <name> (cpu, <platform>, <version>)", a line each.
std::string describe(const std::vector<Device>& devices);

// Returns the device that `wanted` means: an index, a type, or a part of a device's or platform's
// name, in any case. Empty: GPUTEST_DEVICE, and if that is empty or unset too, the first device. A
// type, or nothing, means the device that CTest has allocated, if it has (allocation.h). Throws
// UsageError with the list of devices if none fits.
Device choose_device(const std::string& wanted);

// Returns whether the last work-group of a dimension may be smaller than the others. OpenCL 2.x
// always allows that, versions before 2.0 never do, and from 3.0 on
// CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT tells.
bool has_remainders(const Device& device);

// Returns whether a device with this version and these extensions has 32-bit atomics in global
// memory. They belong to the core since OpenCL 1.1.
bool has_atomics(const std::string& version, const std::string& extensions);

// Returns whether so many work-items run in lock step. AMD's wavefronts do, and NVIDIA's warps did
// before Volta. OpenCL itself promises nothing.
bool keeps_in_step(const Device& device, unsigned work_items);

// A device ready to run kernels.
struct Context {
  explicit Context(Device device);

  Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

} // namespace gputest::runtime
