// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The alignment of kernels' memory.
#pragma once

#include <cstddef>

namespace gputest::ir {

// Buffers, __local memory and program-scope variables begin at multiples of this number of bytes.
constexpr std::size_t kBufferAlignment = 128;

} // namespace gputest::ir
