void twice_reference(int* v, int n) {
  for (int i = 0; i < n; ++i)
    v[i] *= 2;
}
