kernel void test(global int* out, global const float* in, int n) {
  const int i = get_global_id(0);
  if (i < n && in[i] >= 0.5f || !(n == 3))
    out[i] = in[i] != in[n - 1];
  const int4 v = (int4)(i) < (int4)(n);
  out[i] += any(v) && out != 0;
  while (!n)
    ++n;
}
