int factor();
void twice_on_device(int* values, int count);

__global__ void scale(int* values, int factor, int count) {
  if (threadIdx.x < count)
    values[threadIdx.x] *= factor;
}

void scale_on_device(int* values, int count) {
  scale<<<1, 32>>>(values, factor(), count);
  twice_on_device(values, count);
}
