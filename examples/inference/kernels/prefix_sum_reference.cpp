#include <CL/cl.h>
#include <gputest/launch.h>

#include <algorithm>
#include <numeric>

void prefix_sum_reference(const int* in, int* out, int n, cl_uint* ticket, cl_uint* ready,
                          int* totals, const gputest::Launch& launch) {
  std::partial_sum(in, in + n, out);
  const int group = static_cast<int>(launch.local_size[0]),
            groups = static_cast<int>(launch.global_size[0]) / group;
  *ticket += groups;
  for (int i = 0; i < groups; ++i) {
    ready[i] = 1;
    totals[i] = out[std::min((i + 1) * group, n) - 1];
  }
}
