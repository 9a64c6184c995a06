// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells why a program that was run used no device.
#pragma once

#include "program/opencl/run_folder.h"

#include <filesystem>
#include <string>

namespace gputest::program {

// Returns whether this machine has no OpenCL device for the programs that this process starts.
// Starts gputest-devices, which asks; it is beside `command`, the gputest command.
bool lacks_opencl(const std::filesystem::path& command);

// Returns "; there is no OpenCL device: …" for the end of a message if so, else "".
std::string no_device_hint(const std::filesystem::path& command);

// Returns why a run recorded no kernel at all.
std::string why_nothing(const RunRecords& records, const std::filesystem::path& command);

} // namespace gputest::program
