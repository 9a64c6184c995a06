// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How OpenCL's functions answer a question about an object.
#pragma once

#include "layer/opencl/implementation.h"

#include <cstddef>
#include <cstring>

namespace gputest::layer {

// Copies the `bytes` of `value` to `to`, which has room for `size`, and says in `needed` how many
// they are. `to` and `needed` may be null. Returns CL_INVALID_VALUE if there is too little room.
inline cl_int answer(const void* value, std::size_t bytes, std::size_t size, void* to,
                     std::size_t* needed) {
  if (needed)
    *needed = bytes;
  if (to && size < bytes)
    return CL_INVALID_VALUE;
  if (to)
    std::memcpy(to, value, bytes);
  return CL_SUCCESS;
}

} // namespace gputest::layer
