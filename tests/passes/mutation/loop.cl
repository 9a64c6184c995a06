kernel void test(global int* out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = i;
  for (uint s = n; s > 0; s >>= 1)
    out[s]++;
  while (n-- > 3)
    out[n] = 0;
  do
    out[0] += n;
  while (++n < 5);
  for (;;) {
    if (n++ > 9)
      break;
  }
  int k;
  for (k = 0; k < n && out[k] > 0; k += 2, n--)
    ;
#pragma unroll
  for (int j = 0; j < 4; j++)
    out[j] *= 2;
}
