// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mean of two numbers, rounded to minus infinity, for all numbers.
__kernel void mean(__global const int* a, __global const int* b, __global int* out) {
  const int i = get_global_id(0);
  out[i] = (int)(((long)a[i] + b[i]) >> 1);
}
