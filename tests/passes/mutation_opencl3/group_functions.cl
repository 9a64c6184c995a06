kernel void test(global int* out, local int* shared) {
  const int i = get_local_id(0);
  int x = out[i];
  x += sub_group_reduce_add(x);
  x += work_group_scan_inclusive_max(x);
  x += sub_group_non_uniform_scan_exclusive_mul(x);
  x += sub_group_clustered_reduce_and(x, 4);
  if (work_group_all(x > 3) || sub_group_any(x))
    x = sub_group_shuffle(x, i / 2);
  x = sub_group_shuffle_up(x, 1) + sub_group_broadcast(x, 0) + sub_group_rotate(x, 2);
  shared[i] = x;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  x += sub_group_ballot_find_lsb(sub_group_ballot(x));
  out[i] = x + sub_group_elect() + get_sub_group_local_id();
}
