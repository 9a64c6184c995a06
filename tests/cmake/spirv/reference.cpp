#include <gputest/launch.h>

void group_sum_reference(const int* values, int* sums, int* part, int factor,
                         const gputest::Launch& launch) {
  const std::size_t size = launch.local_size[0];
  for (std::size_t group = 0; group < launch.global_size[0] / size; ++group) {
    sums[group] = 0;
    for (std::size_t item = 0; item < size; ++item)
      sums[group] += values[group * size + item] * factor;
  }
}
