kernel void test(global int* out, local int* shared) {
  const int i = get_local_id(0);
  shared[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (i < s)
      shared[i] += shared[i + s];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (get_group_id(0) < 3)
    barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = shared[0];
}
