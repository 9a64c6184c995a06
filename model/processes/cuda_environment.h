// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in the environment of CUDA programs, by which they tell who started them.
#pragma once

namespace gputest::model {

// The file to which the runtime library writes how the simulator was ended, if others than the
// program ended it. What the program did then is no verdict.
constexpr const char* kSimulatorLost = "GPUTEST_CUDA_SIMULATOR_LOST";

// "1": the simulator's __shared__ memory begins with zeros.
constexpr const char* kZeroShared = "GPUTEST_CUDA_ZERO_SHARED";

} // namespace gputest::model
