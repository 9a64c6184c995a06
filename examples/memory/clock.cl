// The least of each work-group's elements, two for each work-item: a kernel to take times with.
kernel void clock_least(global const float* in, global float* out, local float* least) {
  const uint i = get_local_id(0), size = get_local_size(0);
  const uint begin = get_group_id(0) * 2 * size;
  least[i] = in[begin + i];
  least[i + size] = in[begin + size + i];
  for (uint active = size; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < active) {
      const float one = least[i], other = least[i + active];
      if (other < one)
        least[i] = other;
    }
  }
  if (i == 0)
    out[get_group_id(0)] = least[0];
}
