// A function that is known at `n` equidistant places from 0 to 1, as a table. At the others it is
// interpolated. Compile with FIXED for what examples are for.
kernel void lookup(global const float* restrict table, const int n,
                   global const float* restrict x, global float* restrict y, const int count) {
  const int i = get_global_id(0);
  if (i >= count)
    return;

  const float place = x[i] * (n - 1);
#ifdef FIXED
  const int left = min((int)place, n - 2);
#else
  const int left = (int)place;
#endif
  const float rest = place - left;
  y[i] = table[left] * (1.0f - rest) + table[left + 1] * rest;
}
