void scale_on_device(int* values, int count);

int main() {
  int* values = nullptr;
  cudaMallocManaged(&values, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    values[i] = i;
  scale_on_device(values, COUNT);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    if (values[i] != (i < COUNT ? 6 * EXTRA * i : i))
      return 1;
  return 0;
}
