// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has a value that it does not use.
__kernel void saxpy(__global const float* x, __global float* y, float a, float scale, int n) {
  const int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}
