// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in the environment of CUDA programs.
#pragma once

namespace gputest::model {

// "1": the simulator's __shared__ memory begins with zeros.
constexpr const char* kZeroShared = "GPUTEST_CUDA_ZERO_SHARED";

// "32" or "64": the threads of a warp in the simulator (ir/cuda/warp_size.h).
constexpr const char* kWarpSize = "GPUTEST_CUDA_WARP_SIZE";

} // namespace gputest::model
