// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checks of races cost most beside: kernels that do little else than access shared memory.

kernel void bytes_loop(global const uchar* in, global uchar* out, int n) {
  const int first = get_global_id(0) * n;
  for (int i = 0; i < n; ++i)
    out[first + i] = in[first + i] ^ 90;
}

kernel void bytes_in_place(global uchar* io, int n) {
  const int first = get_global_id(0) * n;
  for (int i = 0; i < n; ++i)
    io[first + i] = io[first + i] * 3 + 1;
}

kernel void bytes_backwards(global const uchar* in, global uchar* out, local uchar* tile, int n) {
  const int item = get_local_id(0), first = get_global_id(0) * n;
  for (int i = 0; i < n; ++i)
    tile[item * n + i] = in[first + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = (int)get_local_size(0) - 1 - item;
  for (int i = 0; i < n; ++i)
    out[first + i] = tile[other * n + i];
}

kernel void integers_loop(global const int* in, global int* out, int n) {
  const int first = get_global_id(0) * n;
  for (int i = 0; i < n; ++i)
    out[first + i] = in[first + i] ^ 90;
}

kernel void byte_each(global const uchar* in, global uchar* out) {
  const int i = get_global_id(0);
  out[i] = in[i] * 3 + 1;
}

kernel void integer_each(global const int* in, global int* out) {
  const int i = get_global_id(0);
  out[i] = in[i] * 3 + 1;
}

kernel void vector_each(global const uchar16* in, global uchar16* out) {
  const int i = get_global_id(0);
  out[i] = in[i] * (uchar)3 + (uchar)1;
}

// A search by a whole work-group, with barriers in two nested loops.
kernel void tree_search(global const int* keys, global const int* wanted, global int* found, int height, int order,
                        local int* at) {
  const int item = get_local_id(0), group = get_group_id(0);
  for (int query = 0; query < 4; ++query) {
    if (item == 0)
      at[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level < height; ++level) {
      const int node = at[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      const int key = wanted[group * 4 + query];
      if (keys[node * order + item] <= key && key < keys[node * order + item + 1])
        at[0] = (node * order + item) % 64;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
      found[group * 4 + query] = at[0];
  }
}
