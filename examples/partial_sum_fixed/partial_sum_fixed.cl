// Adds up `data` in parts, one part for each work-group. `result` is a copy of `data` in which the
// sum of part g stands in element g. It needs room for as many elements as there are groups.
kernel void sum(global const int* data, global int* result, uint n, local int* scratch) {
  const uint gid = get_global_id(0);
  const uint lid = get_local_id(0);

  scratch[lid] = gid < n ? data[gid] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  // The upper half is added to the lower one, which takes the middle element if their sum is odd.
  for (uint active = get_local_size(0); active > 1;) {
    const uint lower = (active + 1) / 2;
    if (lid + lower < active)
      scratch[lid] += scratch[lid + lower];
    barrier(CLK_LOCAL_MEM_FENCE);
    active = lower;
  }

  if (lid == 0)
    result[get_group_id(0)] = scratch[0];
  if (gid >= get_num_groups(0) && gid < n)
    result[gid] = data[gid];
}
