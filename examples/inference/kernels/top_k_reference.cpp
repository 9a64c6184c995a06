#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

void top_k_reference(const float* scores, std::span<float> best, int* places, int columns, int k) {
  for (int row = 0; row < int(best.size()) / k; ++row) {
    std::vector<int> order(columns);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int l, int r) {
      return scores[row * columns + l] > scores[row * columns + r];
    });
    for (int i = 0; i < k; ++i) {
      places[row * k + i] = order[i];
      best[row * k + i] = scores[row * columns + order[i]];
    }
  }
}
