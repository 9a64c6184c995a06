void twice(int* data, int n) {
  for (int i = 0; i < n; ++i)
    data[i] = static_cast<int>(static_cast<unsigned>(data[i]) * 2);
}
