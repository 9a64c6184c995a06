#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <span>

void depthwise_reference(const cl_uchar4* in, const cl_char4* weights, const cl_int4* bias,
                         std::span<cl_uchar4> out, int width, int height, float scale, int zero) {
  for (int layer = 0; layer < int(out.size()) / width / height; ++layer)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < 4; ++c) {
          int sum = bias[layer].s[c];
          for (int ky = 0; ky < 3; ++ky)
            for (int kx = 0; kx < 3; ++kx) {
              const int px = x + kx - 1, py = y + ky - 1;
              if (px >= 0 && py >= 0 && px < width && py < height)
                sum += (in[(layer * height + py) * width + px].s[c] - zero) *
                       weights[(layer * 3 + ky) * 3 + kx].s[c];
            }
          out[(layer * height + y) * width + x].s[c] = static_cast<cl_uchar>(
              std::clamp(std::nearbyint(static_cast<float>(sum) * scale + static_cast<float>(zero)),
                         0.0f, 255.0f));
        }
}
