#include <gputest/reference.h>

#include <algorithm>

void pyramid_reference(const gputest::ImageView& from, const gputest::ImageView& to,
                       float* brightest) {
  const double weights[] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
  for (int y = 0; y < int(to.height); ++y)
    for (int x = 0; x < int(to.width); ++x) {
      double sum[4] = {};
      for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
          for (int c = 0; c < 4; ++c)
            sum[c] += weights[i + 2] * weights[j + 2] *
                      from.pixel<float>(std::clamp(x * 2 + i, 0, int(from.width) - 1),
                                        std::clamp(y * 2 + j, 0, int(from.height) - 1))[c];
      for (int c = 0; c < 4; ++c)
        to.pixel<float>(x, y)[c] = static_cast<float>(sum[c]);
      brightest[y * to.width + x] = static_cast<float>(std::max({sum[0], sum[1], sum[2]}));
    }
}
