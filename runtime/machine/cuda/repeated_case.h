// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test case that is launched repeatedly on a CUDA GPU.
#pragma once

#include "runtime/machine/cuda/gpu.h"
#include "runtime/machine/repeated_case.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// See Machine::repeat(). Throws OutOfMemory, DeviceError.
std::unique_ptr<RepeatedCase> repeat(std::shared_ptr<const Gpu> gpu, BoundCase test_case,
                                     const std::string& kernel,
                                     const std::vector<std::size_t>& outputs,
                                     std::size_t state_bytes);

} // namespace gputest::runtime::cuda
