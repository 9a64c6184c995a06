// Functions of work-groups are sites as barriers are, and work-items vote on what they hang on; a barrier of
// a sub-group is a site without a vote.
kernel void test(global int* out, global const int* in, int n) {
  const int i = get_global_id(0);
  int x = in[i];
  if (n > 3)
    x = work_group_reduce_add(x);
  if (x > 5)
    x = work_group_scan_inclusive_max(x);
  while (work_group_any(x < 100))
    x += work_group_broadcast(x, 0) + 1;
  if (in[i] > 2)
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = x;
}
