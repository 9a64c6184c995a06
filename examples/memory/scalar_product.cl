// Scalar products of pairs of vectors, one pair for each work-group: sums of each work-item, and a
// tree in local memory.
kernel void scalar_product(global const float* a, global const float* b, global float* out,
                           local float* sums, const uint length) {
  const uint i = get_local_id(0), size = get_local_size(0), begin = get_group_id(0) * length;
  float sum = 0;
  for (uint k = i; k < length; k += size)
    sum += a[begin + k] * b[begin + k];
  sums[i] = sum;
  for (uint active = size / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < active)
      sums[i] += sums[i + active];
  }
  if (i == 0)
    out[get_group_id(0)] = sums[0];
}
