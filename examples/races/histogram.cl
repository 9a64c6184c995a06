#define BINS 16

// Counts bytes by their lower four bits: each work-group counts its own in local memory, then adds.
kernel void histogram(global const uchar* data, const uint n, volatile global uint* bins) {
  volatile local uint counts[BINS];
  const uint lid = get_local_id(0), group_size = get_local_size(0);
  for (uint bin = lid; bin < BINS; bin += group_size)
    counts[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&counts[data[i] % BINS]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = lid; bin < BINS; bin += group_size)
#ifdef FIXED
    atomic_add(&bins[bin], counts[bin]);
#else
    // No atomics, and group 0 is believed to come first.
    bins[bin] = get_group_id(0) == 0 ? counts[bin] : bins[bin] + counts[bin];
#endif
}
