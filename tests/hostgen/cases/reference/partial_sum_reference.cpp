#include <gputest/launch.h>

inline void sum_reference(int* data, int n, int* scratch, const gputest::Launch& launch) {
  for (int i = 0; i < n; ++i)
    data[i] += scratch[0] + static_cast<int>(launch.dimensions);
}
