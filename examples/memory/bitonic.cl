// Batcher's bitonic sort of one work-group's elements, two for each work-item, in local memory.
kernel void bitonic(global const uint* in, global uint* out, local uint* keys) {
  const uint i = get_local_id(0), size = get_local_size(0);
  keys[i] = in[i];
  keys[i + size] = in[i + size];
  for (uint block = 2; block <= 2 * size; block *= 2)
    for (uint distance = block / 2; distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * i - (i & (distance - 1)), high = low + distance;
      const uint first = keys[low], second = keys[high];
      if ((first > second) == !(low & block)) {
        keys[low] = second;
        keys[high] = first;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = keys[i];
  out[i + size] = keys[i + size];
}
