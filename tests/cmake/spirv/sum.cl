__kernel void group_sum(__global const int* values, __global int* sums, __local int* part, int factor) {
  const size_t item = get_local_id(0);
  part[item] = values[get_global_id(0)] * factor;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    int sum = 0;
    for (size_t i = 0; i < get_local_size(0); ++i)
      sum += part[i];
    sums[get_group_id(0)] = sum;
  }
}
