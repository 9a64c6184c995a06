#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

void attention_reference(const float* q, const float* keys, const float* values,
                         std::span<float> out, int count, int causal, float scale) {
  const int head = 16;
  for (int query = 0; query < int(out.size()) / head; ++query) {
    const int end = causal ? std::min(query + 1, count) : count;
    std::vector<double> weight(end);
    for (int i = 0; i < end; ++i)
      for (int d = 0; d < head; ++d)
        weight[i] += double{q[query * head + d]} * keys[i * head + d];
    double sum = 0;
    for (double& w : weight)
      sum += w = std::exp(w * scale);
    for (int d = 0; d < head; ++d) {
      double result = 0;
      for (int i = 0; i < end; ++i)
        result += weight[i] / sum * values[i * head + d];
      out[query * head + d] = static_cast<float>(result);
    }
  }
}
