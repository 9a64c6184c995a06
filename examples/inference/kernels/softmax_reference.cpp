#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <span>

void softmax_reference(const float* scores, const cl_uchar* seen, std::span<float> out, int columns,
                       float scale) {
  for (std::size_t row = 0; row < out.size() / columns; ++row) {
    double sum = 0, most = -INFINITY;
    for (int i = 0; i < columns; ++i)
      if (seen[i])
        most = std::max(most, double{scores[row * columns + i]} * scale);
    for (int i = 0; i < columns; ++i)
      sum += seen[i] ? std::exp(scores[row * columns + i] * double{scale} - most) : 0;
    for (int i = 0; i < columns; ++i)
      out[row * columns + i] =
          seen[i]
              ? static_cast<float>(std::exp(scores[row * columns + i] * double{scale} - most) / sum)
              : 0;
  }
}
