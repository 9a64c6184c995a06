#include <gputest/launch.h>

#include <algorithm>
#include <vector>

// What is right, as simple as it can be.
void total_reference(const int* values, int* sums, int* part, int n,
                     const gputest::Launch& launch) {
  const int size = static_cast<int>(launch.local_size[0]),
            items = static_cast<int>(launch.global_size[0]);
  for (int group = 0; group < items / size; ++group) {
    sums[group] = 0;
    for (int at = group * size; at < std::min((group + 1) * size, n); ++at)
      sums[group] += values[at];
  }
}

void smooth_reference(const int* values, int* means, int n) {
  for (int at = 0; at < n; ++at) {
    int sum = 0;
    const int first = std::max(0, at - 2);
    for (int i = first; i <= at; ++i)
      sum += values[i];
    means[at] = sum / (at - first + 1);
  }
}

void clip_reference(int* values, int* changed, int low, int high, int n) {
  for (int at = 0; at < n; ++at) {
    const int before = values[at];
    values[at] = before < low ? low : std::min(before, high);
    changed[at] = values[at] != before ? 1 : 0;
  }
}

void turn_reference(int* x, int* y, const gputest::Launch& launch) {
  for (std::size_t i = 0; i < launch.global_size[0]; ++i) {
    const int before = x[i];
    x[i] = -y[i];
    y[i] = before;
  }
}

void places_reference(const int* values, int* out, int* most, int n) {
  for (int wanted = 0; wanted < 4; ++wanted) {
    int first = -1, second = n;
    for (int i = 0; i < n; ++i)
      if (values[i] == wanted)
        first = i;
    int& chosen = first >= 0 ? first : second;
    chosen += 10;
    out[wanted] = 2 * chosen + (wanted == 0 ? 3 : wanted);
    *most = std::max(*most, out[wanted]);
  }
}
