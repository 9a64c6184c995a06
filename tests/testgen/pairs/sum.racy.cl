// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier in the loop is missing.
__kernel void sum(__global const int* in, __global int* out, __local int* part, int n) {
  const int i = get_global_id(0), l = get_local_id(0);
  part[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = get_local_size(0); width > 1;) {
    const int half_width = (width + 1) / 2;
    if (l < width / 2)
      part[l] += part[l + half_width];
    width = half_width;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
