#include "offset.h"
#include <gputest/reference.h>
#include <span>

void scale_reference(std::span<const int> x, std::span<int> y TILE(std::span<int>), int n,
                     const gputest::Launch& launch) {
  for (int i = 0; i < n; ++i)
    y[i] = FACTOR * x[i] + OFFSET + i % static_cast<int>(launch.local_size[0]) % 2;
}

namespace own {
void of_kernel(const int* x, int* y TILE(int*), int n) {
  for (int i = 0; i < n; ++i)
    y[i] = FACTOR * x[i] + OFFSET + i % 2;
}
} // namespace own
