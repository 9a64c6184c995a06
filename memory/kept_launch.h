// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of CUDA programs, which the simulator has kept (model/launches/kept_launch.h), prepared
// for the tracer.
#pragma once

#include "memory/kernel.h"
#include "model/launches/kept_launch.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::memory {

struct KeptLaunches {
  Kernel kernel;
  std::vector<NamedLaunch> launches; // in the order of the files
};

// Reads launches of one kernel with one code. Files are named below `source_root`, unless it is
// empty. With warm caches, traces the launch before each one. Throws UsageError,
// model::FormatError, and SourceError for kernels that cannot run by themselves, also for a GPU
// whose warps have another size, and for warm caches on a GPU whose cores share none.
KeptLaunches kept_launches(const std::vector<std::filesystem::path>& files,
                           const std::string& source_root, model::Caches caches, const Gpu& gpu);

} // namespace gputest::memory
