#include <CL/cl.h>
#include <gputest/launch.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

void radix_sort_reference(cl_uint* keys, cl_ushort* values, int n, cl_uint*, cl_ushort*,
                          const gputest::Launch& launch) {
  const int group = static_cast<int>(launch.local_size[0]);
  for (int first = 0; first < n; first += group) {
    const int count = std::min(group, n - first);
    std::vector<std::pair<cl_uint, cl_ushort>> both;
    for (int i = first; i < first + count; ++i)
      both.emplace_back(keys[i], values[i]);
    std::ranges::stable_sort(both.begin(), both.end(),
                             [](const auto& l, const auto& r) { return l.first < r.first; });
    for (int i = 0; i < count; ++i)
      std::tie(keys[first + i], values[first + i]) = both[i];
  }
}
