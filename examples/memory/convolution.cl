// A separable filter of 2 * RADIUS + 1 taps, one direction at a time. What lies outside is 0.
#define RADIUS 4

kernel void convolution_rows(global const float* in, global const float* taps, global float* out,
                             const int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    if (x + k >= 0 && x + k < width)
      sum += in[y * width + x + k] * taps[k + RADIUS];
  out[y * width + x] = sum;
}

kernel void convolution_columns(global const float* in, global const float* taps, global float* out,
                                const int width, const int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    if (y + k >= 0 && y + k < height)
      sum += in[(y + k) * width + x] * taps[k + RADIUS];
  out[y * width + x] = sum;
}
