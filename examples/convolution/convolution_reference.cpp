#include <gputest/reference.h>

#include <CL/cl.h>

#include <algorithm>

// Weight by weight: each shifts the whole source and adds it. Knows the two samplers of the cases.
void convolve_reference(gputest::ImageView source, gputest::SamplerView sampler,
                        const cl_float* weights, cl_int radius, gputest::ImageView result) {
  const auto width = static_cast<cl_int>(source.width), height = static_cast<cl_int>(source.height);
  const auto pixels = result.width * result.height;
  std::fill_n(result.pixel<cl_float>(0), pixels * result.channels, 0.0f);

  for (cl_int tap = 0; radius >= 0 && tap < (2 * radius + 1) * (2 * radius + 1); ++tap) {
    const cl_int dx = tap % (2 * radius + 1) - radius, dy = tap / (2 * radius + 1) - radius;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      const cl_int x = static_cast<cl_int>(pixel % result.width) + dx;
      const cl_int y = static_cast<cl_int>(pixel / result.width) + dy;
      const cl_int inside_x = std::clamp(x, 0, width - 1), inside_y = std::clamp(y, 0, height - 1);
      const bool outside = x != inside_x || y != inside_y;
      if (outside && sampler.addressing_mode == CL_ADDRESS_CLAMP)
        continue; // the border is (0, 0, 0, 0) where a source has an alpha channel
      for (unsigned channel = 0; channel < result.channels; ++channel)
        result.pixel<cl_float>(pixel % result.width, pixel / result.width)[channel] +=
            weights[tap] * source.pixel<cl_float>(static_cast<std::size_t>(inside_x),
                                                  static_cast<std::size_t>(inside_y))[channel];
    }
  }
}
