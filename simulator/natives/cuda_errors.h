// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of loading and launching kernels of CUDA: numbers of cudaError_t.
#pragma once

#include <cstdint>

namespace gputest::simulator {

enum LaunchError : std::uint64_t {
  kNoError = 0,
  kInvalidConfiguration = 9,
  kPendingCountExceeded = 69,
  kInvalidDeviceFunction = 98,
  kInvalidKernelImage = 200,
  kInvalidPtx = 218,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kAssert = 710,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kNotSupported = 801
};

} // namespace gputest::simulator
