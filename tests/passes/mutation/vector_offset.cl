kernel void test(global float* out, global const float* in, global const half* halves) {
  const int i = get_global_id(0);
  vstore4(vload4(i, in), i + 1, out);
  vstore2(vload_half2(i, halves), 0, out + 2 * i);
}
