// A loop with barriers is written twice. The copy that records nothing still counts the counted loops inside.
kernel void test(global int* out, global const int* in) {
  local int shared[8];
  const int i = get_global_id(0), lid = get_local_id(0), group = get_group_id(0);
  const int steps = group < 2 ? 3 : group - 2; // 3, 3, 0, 1
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    shared[lid] = in[i] + round;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < steps; ++step)
      for (int k = 0; k < step; ++k)
        sum += lid > k ? shared[k] : 1;
    for (int step = lid + 1; step < 8;) // is not counted ahead
      sum += shared[step++];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}
