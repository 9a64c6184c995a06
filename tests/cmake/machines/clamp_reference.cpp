void clamp_low_reference(const int* x, int* y, int low, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] < low ? low : x[i];
}
