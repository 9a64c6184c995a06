#include <gputest/launch.h>

#include <algorithm>

void clamped_reference(const float* x, const float* low, const float* high, float* result,
                       const gputest::Launch& launch) {
  for (std::size_t i = 0; i < launch.global_size[0]; ++i)
    result[i] = std::clamp(x[i], low[i], high[i]);
}
