// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads one element beyond the end, and does not use it.
__kernel void blur(__global const int* in, __global int* out, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const int next = in[i + 1];
  out[i] = i == 0 || i == n - 1 ? in[i] : (in[i - 1] + in[i] + next) / 3;
}
