#include <gputest/launch.h>

#include <CL/cl.h>

#include <algorithm>
#include <numeric>

// The parts one after the other, without a tree.
void partial_sum_reference(const cl_int* data, cl_int* result, cl_uint n, cl_int* /*scratch*/,
                           const gputest::Launch& launch) {
  const std::size_t part = launch.local_size[0];
  const std::size_t groups = launch.global_size[0] / part;
  std::copy(data, data + n, result);
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t first = std::min<std::size_t>(group * part, n);
    const std::size_t last = std::min<std::size_t>(first + part, n);
    result[group] = std::accumulate(data + first, data + last, 0);
  }
}
