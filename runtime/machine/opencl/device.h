// OpenCL devices: which there are, and the one to use.
#pragma once

#include "runtime/machine/opencl/opencl.h"

#include <string>
#include <vector>

namespace gputest::runtime {

struct Device {
  cl::Device device;
  std::string name, platform, type, version; // type: "cpu", "gpu", "accelerator", "custom"
};

// The devices of all platforms, in the loader's order. Users give a device's index here. Throws
// NoDevice if there is none.
std::vector<Device> list_devices();

// "0: <name> (cpu, <platform>, <version>)", a line each.
std::string describe(const std::vector<Device>& devices);

// `wanted` is an index, a type, or a part of a device's or platform's name (any case). Empty: the
// environment variable GPUTEST_DEVICE, and if that is empty or unset too, the first device. Where
// that is no more than a type, it is the device that CTest has allocated (allocation.h). Throws
// UsageError with the list of devices if none fits.
Device choose_device(const std::string& wanted);

// Whether the last work-group of a dimension may be smaller than the others: always in OpenCL 2.x,
// by CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT from 3.0 on, never before 2.0.
bool has_remainders(const Device& device);

// Whether a device of this version and with these extensions has 32-bit atomics in global memory:
// they belong to the core since OpenCL 1.1.
bool has_atomics(const std::string& version, const std::string& extensions);

// A device ready to run kernels.
struct Context {
  explicit Context(Device device);

  Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

} // namespace gputest::runtime
