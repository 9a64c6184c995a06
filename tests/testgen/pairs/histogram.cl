// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void histogram(__global const uchar* in, __global uint* bins, int n) {
  const int i = get_global_id(0);
  if (i < n)
    atomic_inc(&bins[in[i] % 16]);
}
