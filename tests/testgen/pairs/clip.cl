// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void clip(__global float* data, float low, float high, int n) {
  const int i = get_global_id(0);
  if (i < n)
    data[i] = data[i] < low ? low : data[i] > high ? high : data[i];
}
