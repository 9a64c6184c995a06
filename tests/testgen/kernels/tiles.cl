// A tile of 16 x 4 among constants that are none.
kernel void tiles(global float* out, global const float* in) {
  const size_t id = get_local_id(0) + 16 * get_local_id(1);
  float sums[7] = {0};
  for (int i = 0; i < 3; ++i)
    sums[i + 3] = in[4 * id + i] * 5 + sums[6];
  out[get_global_id(0) + get_global_id(1) * get_global_size(0)] = sums[3] + sums[4] + sums[5];
}
