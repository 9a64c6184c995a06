#define PART 256

// Inclusive prefix sums of parts of PART elements, one for each work-group, in two buffers by turns.
kernel void scan(global const int* data, global int* sums) {
  local int buffers[2][PART];
  const uint lid = get_local_id(0);
  buffers[0][lid] = data[get_global_id(0)];
#ifdef FIXED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  // Without the barrier, the neighbour may not have stored its element yet.
  buffers[1][lid] = buffers[0][lid] + (lid > 0 ? buffers[0][lid - 1] : 0);
  barrier(CLK_LOCAL_MEM_FENCE);

  uint from = 1;
  for (uint distance = 2; distance < PART; distance *= 2) {
    int sum = buffers[from][lid];
    if (lid >= distance)
      sum += buffers[from][lid - distance];
    buffers[1 - from][lid] = sum;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sums[get_global_id(0)] = buffers[from][lid];
}
