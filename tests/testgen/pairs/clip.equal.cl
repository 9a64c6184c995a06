// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each work-item has four elements.
__kernel void clip(__global float* data, float low, float high, int n) {
  for (int i = 4 * get_global_id(0); i < 4 * (int)get_global_id(0) + 4; ++i)
    if (i < n) {
      float value = data[i];
      if (value < low)
        value = low;
      else if (value > high)
        value = high;
      data[i] = value;
    }
}
