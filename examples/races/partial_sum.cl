#define PART 16

// Adds up `data` in parts of PART elements, one for each work-group.
kernel void partial_sum(global int* data, global int* sums) {
  local int part[PART];
  const uint lid = get_local_id(0);
  part[lid] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = PART / 2; stride > 0; stride /= 2) {
    if (lid < stride)
      part[lid] += part[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid != 0)
    return;
#ifdef FIXED
  sums[get_group_id(0)] = part[0];
#else
  data[get_group_id(0)] = part[0]; // group 0 may still have to read it
#endif
}
