// Shared by several kernels.
#pragma once

inline float clamp_index(__global const float *data, int i, int n) {
  if (i < 0 || i >= n)
    return 0.0f;
  return data[i];
}
