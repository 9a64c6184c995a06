kernel void twice(global int* v, int n) {
  const int i = get_global_id(0);
  if (i < n)
    v[i] *= 2;
}
