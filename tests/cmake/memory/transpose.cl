kernel void transpose(global const float* in, global float* out, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
