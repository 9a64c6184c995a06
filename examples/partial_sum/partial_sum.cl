// Adds up `data` in parts, one part for each work-group, and leaves the sum of part g in data[g].
//
// Three faults are here on purpose; README.md names them and partial_sum_fixed/ has none of them.
kernel void sum(global int* data, uint n, local int* scratch) {
  const uint gid = get_global_id(0);
  const uint lid = get_local_id(0);

  scratch[lid] = gid < n ? data[gid] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    if (lid < stride)
      scratch[lid] += scratch[lid + stride];
  }

  if (lid == 0)
    data[get_group_id(0)] = scratch[0];
}
