void masked(int* data, const int* mask, int n) {
  for (int i = 0; i < n; ++i)
    if (!mask || mask[i])
      data[i] *= 2;
}
