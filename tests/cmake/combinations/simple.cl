#include "offset.h"

__kernel void simple(__global const int* x, __global int* z, int n) {
  if (get_global_id(0) == 0)
    for (int i = 0; i < n; ++i)
      z[i] = FACTOR * x[i] + OFFSET + i % 2;
}
