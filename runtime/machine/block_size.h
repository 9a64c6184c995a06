// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the size of work-groups where a launch does not say it.
#pragma once

#include "runtime/cases/argument.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gputest::runtime {

// Returns the launch's local size. Without one: the largest width up to 64 that divides the global
// size. The simulator and CUDA GPUs use this, the same every time, while OpenCL devices choose for
// themselves.
inline std::array<std::size_t, 3> chosen_block(const Launch& launch) {
  if (has_local_size(launch))
    return launch.local_size;
  constexpr std::size_t kMost = 64;
  std::size_t width = std::min(kMost, std::max<std::size_t>(launch.global_size[0], 1));
  while (launch.global_size[0] % width != 0)
    --width;
  return {width, 1, 1};
}

} // namespace gputest::runtime
