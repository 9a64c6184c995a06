// Sums 64 numbers. The last 32 work-items need no barriers where a warp runs in step.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bounded_sum(global const int* in, global int* out, int most) {
  local int part[64];
  const int t = get_local_id(0);
  part[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 32)
    for (int by = 32; by > 0; by >>= 1)
      part[t] += part[t + by];
  if (t == 0)
    out[get_group_id(0)] = part[0] > most ? most : part[0];
}
