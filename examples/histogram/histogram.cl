enum { bins = 64 };

// Counts bytes by their upper six bits, first in local memory, and adds the counts to `total`.
kernel void histogram(global const uchar* data, uint n, volatile global uint* total) {
  volatile local uint counts[bins];
  const uint lid = get_local_id(0), group_size = get_local_size(0);

  for (uint bin = lid; bin < bins; bin += group_size)
    counts[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&counts[data[i] >> 2]);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint bin = lid; bin < bins; bin += group_size) {
    const uint count = counts[bin];
    if (!count)
      continue;
    atomic_add(&total[bin], count);
  }
}
