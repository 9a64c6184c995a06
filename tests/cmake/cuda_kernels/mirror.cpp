#include <gputest/launch.h>

#include <vector>

void mirror_reference(int* data, int n, const gputest::Launch& launch) {
  const int size = static_cast<int>(launch.local_size[0]);
  const std::vector<int> before(data, data + n);
  for (int i = 0; i < n; ++i) {
    const int other = i / size * size + size - 1 - i % size;
    data[i] = other < n ? before[other] : 0;
  }
}
