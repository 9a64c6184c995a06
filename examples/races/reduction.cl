#define PART 64

// Adds up `data` in parts of PART elements, one for each work-group.
kernel void reduction(global const int* data, global int* sums) {
  local int part[PART];
  const uint lid = get_local_id(0);
  part[lid] = data[get_global_id(0)];
  for (uint stride = PART / 2; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < stride)
      part[lid] += part[lid + stride];
  }
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (lid == PART - 1) // without the barrier, work-item 0 may still be adding
    sums[get_group_id(0)] = part[0];
}
