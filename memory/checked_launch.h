// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a launch of a CUDA program with the files beside it, and refuses what no program has made.
#pragma once

#include "model/launches/kept_launch.h"

#include <filesystem>
#include <string>

namespace gputest::memory {

struct CheckedLaunch {
  std::filesystem::path file;
  model::KeptLaunch launch;
  std::string contents{}, code{}; // of the files that the launch names
};

// Numbers of the result fit each other and the contents: parameters lie in the block of arguments,
// allocations lie in the memory of a device, in order and apart from each other, and variables lie
// in allocations. Throws UsageError and model::FormatError.
CheckedLaunch read_checked_launch(const std::filesystem::path& file);

// Reads the launch that KeptLaunch::before names, which must be there. Its process has made it
// right before. Throws the same.
CheckedLaunch read_launch_before(const CheckedLaunch& checked);

} // namespace gputest::memory
