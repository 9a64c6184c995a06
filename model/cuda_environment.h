// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in the environment of CUDA programs.
#pragma once

namespace gputest::model {

// "1": the simulator's __shared__ memory begins with zeros.
constexpr const char* kZeroShared = "GPUTEST_CUDA_ZERO_SHARED";

} // namespace gputest::model
