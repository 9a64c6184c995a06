// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with sums of comparisons.
__kernel void grade(__global const int* in, __global int* out, int n) {
  const int i = get_global_id(0);
  if (i < n) {
    const int x = 3 + 7 * in[i];
    out[i] = (x > 1000003) + (x > 40);
  }
}
