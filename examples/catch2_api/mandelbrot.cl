#include "view.h"

// For each pixel, how often z = z * z + c can be iterated from 0 before |z| > 2; at most the limit.
kernel void mandelbrot(const struct View view, global uint* iterations) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x >= view.width || y >= view.height)
    return;

  const float2 c = (float2)(view.left, view.top) + view.step * (float2)(x, y);
  float2 z = (float2)(0.0f, 0.0f);
  uint count = 0;
  while (count < view.limit && dot(z, z) <= 4.0f) {
    z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
    ++count;
  }
  iterations[y * view.width + x] = count;
}
