// Indices whose rows an argument makes as long as the launch should be wide.
kernel void test(global float* c, global const float* a, int nj, int nk, int n) {
  const int i = get_global_id(1);
  const int j = get_global_id(0);
  c[i * nj + j] = a[i * nk];
  c[get_global_id(0) + n * (size_t)i] = 0;
  int k = get_global_id(0);
  k += 1;
  c[i * nk + k] = 0;
}
