// How often each byte occurs: the work-items of a group share 64 counters, and add them to the
// result at the end.
#define BINS 64

kernel void histogram(global const uchar* data, global uint* counts, const uint each) {
  local uint bins[BINS];
  const uint i = get_local_id(0), size = get_local_size(0);
  if (i < BINS)
    bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint begin = get_group_id(0) * size * each;
  for (uint k = 0; k < each; ++k)
    atomic_inc(&bins[data[begin + k * size + i] % BINS]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < BINS)
    atomic_add(&counts[i], bins[i]);
}
