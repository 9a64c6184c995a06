#include <gputest/property.h>

#include <algorithm>
#include <stdexcept>

void pairs_property(gputest::Change<int> data, int n, const gputest::Launch& launch) {
  if (launch.global_size[0] * 2 < static_cast<std::size_t>(n))
    throw std::runtime_error("there are too few work-items");
  for (int i = 0; i + 1 < n; i += 2)
    if (data.after[i] > data.after[i + 1])
      throw std::runtime_error("neighbours are not sorted");
  if (!std::ranges::is_permutation(data.before, data.after))
    throw std::runtime_error("'data' does not hold what it held");
}
