// The Walsh-Hadamard transform of as many elements as one work-group has work-items, twice that, in
// place: each work-item makes a butterfly in each of log n rounds.
kernel void walsh(global float* data, const uint n) {
  const uint i = get_local_id(0);
  for (uint distance = n / 2; distance > 0; distance /= 2) {
    const uint low = i % distance, first = 2 * (i - low) + low;
    const float left = data[first], right = data[first + distance];
    data[first] = left + right;
    data[first + distance] = left - right;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
