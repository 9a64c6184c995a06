// One level of an image pyramid: a binomial filter of five, and every second pixel.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#ifdef REPEAT
constant sampler_t used = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
#else
#define used edge
#endif
constant float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

kernel void pyramid(read_only image2d_t from, write_only image2d_t to, global float* brightest) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
#ifdef NO_LIMIT
  if (at.x >= get_image_width(to))
#else
  if (any(at >= get_image_dim(to)))
#endif
    return;
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x)
      sum += weights[x + 2] * weights[y + 2] * read_imagef(from, used, at * 2 + (int2)(x, y));
  write_imagef(to, at, sum);
  brightest[at.y * get_image_width(to) + at.x] = fmax(fmax(sum.x, sum.y), sum.z);
}
