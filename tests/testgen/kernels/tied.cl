// Right where `size` is twice the local size, and `passes` its logarithm.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
tied(global int* sums, global const int* data, local int* own, int size, int passes) {
  const int lane = get_local_id(0), middle = size >> 1, first = get_group_id(0) * size;
  if (get_num_groups(0) < 3)
    return;
  own[lane] = data[first + lane];
  own[lane + middle] = data[first + lane + middle];
  barrier(CLK_LOCAL_MEM_FENCE);
  int stride = 1;
  for (int pass = 0; pass < passes; ++pass) {
    const int at = 2 * stride * lane + 2 * stride - 1;
    if (at < size)
      own[at] += own[at - stride];
    stride <<= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane * stride < size) // one of them, unless there were too few passes
    sums[get_group_id(0)] = own[stride - 1 + lane];
}
