// Loops of every kind, each with the cases that can happen to it.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int n = in[i] & 7, sum = 0;
  for (int k = 0; k < n; ++k)
    sum += k;
  for (int k = 0, m = n; k < m; ++k, --m) {
    if (k == 2) continue;
    sum += m;
  }
  int w = n;
  while (w-- > 0) {
    if (w == 3)
      break;
    sum++;
  }
  while (w > 100);
  do
    sum += 2;
  while (++w < n);
  do {
    sum ^= 1;
  } while (0);
  for (;;) {
    if (sum > 20)
      break;
    sum += 7;
  }
  while (1) {
    if (--n < 0) break;
  }
  for (int a = 0; a < 2; a++)
    for (int b = a; b < in[i] % 3; b++)
      sum += a * b;
  while (0) sum = -1;
  out[i] = sum;
}
