// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum overflows for large numbers.
__kernel void mean(__global const int* a, __global const int* b, __global int* out) {
  const int i = get_global_id(0);
  out[i] = (a[i] + b[i]) >> 1;
}
