// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in the environment of CUDA programs.
#pragma once

namespace gputest::model {

// "1": the simulator's __shared__ memory begins with zeros.
constexpr const char* kZeroShared = "GPUTEST_CUDA_ZERO_SHARED";

// "32" or "64": the threads of a warp in the simulator (ir/cuda/warp_size.h).
constexpr const char* kWarpSize = "GPUTEST_CUDA_WARP_SIZE";

// "<kKeptLaunchesVersion> <most launches of a kernel> <most bytes of one> <cold or warm caches>
// <folder>": the simulator keeps launches there (simulator/cuda/kept_launches.h). In all versions
// the first word is the version, and the folder begins with the first slash. Older simulators know
// GPUTEST_CUDA_LAUNCHES alone, which began with no version.
constexpr const char* kKeptLaunches = "GPUTEST_CUDA_KEPT_LAUNCHES";
constexpr const char* kKeptLaunchesVersion = "kept-launches-1";

} // namespace gputest::model
