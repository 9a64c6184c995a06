#include "offset.h"

int affine(int value) { return FACTOR * value + OFFSET; }

__kernel void scale(__global const int* x, __global int* y, __local int* tile, int n) {
  int i = get_global_id(0), at = get_local_id(0);
  tile[at] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n)
    y[i] = affine(tile[at]) + (at % 2 ? 1 : FAULT);
}
