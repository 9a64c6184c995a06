// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One work-item of each group adds the elements of its group.
__kernel void sum(__global const int* in, __global int* out, int n) {
  if (get_local_id(0) != 0)
    return;
  int total = 0;
  for (int i = get_global_id(0); i < (int)(get_global_id(0) + get_local_size(0)); ++i)
    if (i < n)
      total += in[i];
  out[get_group_id(0)] = total;
}
