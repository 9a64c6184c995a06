#pragma once

__host__ __device__ inline int clamp(int x) {
  if (x < 0)
    return 0;
  if (x > 255)
    return 255;
  return x;
}
