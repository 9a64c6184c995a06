#include <cmath>
#include <numeric>
#include <span>

void layer_norm_reference(const float* in, const float* gamma, const float* beta,
                          std::span<float> out, int columns, float epsilon) {
  for (std::size_t row = 0; row < out.size() / columns; ++row) {
    const std::span<const float> x(in + row * columns, columns);
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / columns;
    double squares = 0;
    for (const float v : x)
      squares += (v - mean) * (v - mean);
    for (int i = 0; i < columns; ++i)
      out[row * columns + i] = static_cast<float>(
          (x[i] - mean) / std::sqrt(squares / columns + epsilon) * gamma[i] + beta[i]);
  }
}
