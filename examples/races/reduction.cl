#define PART 64

// Adds up `data` in parts of PART elements, one for each work-group. The upper half takes the lower
// one, and so on, until the last element has it all.
kernel void reduction(global const int* data, global int* sums) {
  local int part[PART];
  const uint lid = get_local_id(0);
  part[lid] = data[get_global_id(0)];
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (lid >= PART / 2) // without the barrier, the lower half may not be there yet
    part[lid] += part[lid - PART / 2];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint stride = PART / 4; stride > 0; stride /= 2) {
    if (lid >= PART - stride)
      part[lid] += part[lid - stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == PART - 1)
    sums[get_group_id(0)] = part[lid];
}
