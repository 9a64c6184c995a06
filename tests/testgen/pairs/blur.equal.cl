// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void blur(__global const int* in, __global int* out, int n) {
  const int i = get_global_id(0);
  if (i < n && i > 0 && i + 1 < n)
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
  else if (i < n)
    out[i] = in[i];
}
