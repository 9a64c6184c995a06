// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells why a program that was run used no device.
#pragma once

#include <string>

namespace gputest::driver {

// Returns whether this machine has no OpenCL device for the programs that this process starts.
// Starts gputest-devices, which asks.
bool lacks_opencl();

// Returns "; there is no OpenCL device: …" for the end of a message if so, else "".
std::string no_device_hint();

} // namespace gputest::driver
