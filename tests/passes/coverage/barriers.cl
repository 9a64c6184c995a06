// Decisions that are the same for the whole group need no vote.
int sum_of(local int* values, int count) {
  int sum = 0;
  for (int k = 0; k < count; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += values[k];
  }
  return sum;
}

kernel void test(global int* out, global const int* in) {
  local int values[8];
  const int lid = get_local_id(0);
  values[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int stride = get_local_size(0) / 2; stride > 0; stride >>= 1) {
    if (lid < stride)
      values[lid] += values[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_group_id(0) % 2 == 0)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = values[0] + sum_of(values, 3);
}
