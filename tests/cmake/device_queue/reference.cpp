#include <algorithm>
#include <numeric>

void total_reference(int* values, int* sums, int n, int most) {
  sums[0] = std::min(values[0], most);
  sums[1] = 0;
  for (int i = 0; i < n / 2; ++i) {
    values[i] = std::min(values[i], most) + std::min(values[i + n / 2], most);
    sums[1] += values[i];
  }
}

void filtered_reference(const int* in, int* out, int least) {
  for (int i = 0; i < 4; ++i)
    if (in[4 * i] >= least)
      *out++ = in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3];
}

void tiled_reference(const int* values, int* sums, int n) {
  for (int i = 0; i < 2; ++i)
    sums[i] = std::accumulate(values + i * n, values + (i + 1) * n, 0);
}
