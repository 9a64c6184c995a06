// The size of work-groups where a launch does not say it.
#pragma once

#include "runtime/cases/argument.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gputest::runtime {

// Devices of OpenCL choose as they like; the simulator and CUDA's GPUs so, the same every time.
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
