// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices of OpenCL 2.x have, those before never have, and those of OpenCL 3.0 may lack.
#pragma once

#include "runtime/machine/opencl/opencl.h"

#include <optional>
#include <string>
#include <string_view>

namespace gputest::runtime {

enum class DeviceFeature {
  Enqueue, // kernels enqueue blocks in queues of the device
  Pipes
};

// Returns false for what is no device.
bool has_feature(cl_device_id device, DeviceFeature feature);

struct FailedBuild {
  std::string log, cl_std;
};

// Returns the macro or extension, "__opencl_c_pipes", of a feature that the source uses and the
// device lacks; nullopt: there is none. What comments and literals say is no use. Without the log
// of a build only queues of devices and pipes count.
std::optional<std::string_view> missing_feature(cl_device_id device, const std::string& source,
                                                const FailedBuild& failed = {});

} // namespace gputest::runtime
