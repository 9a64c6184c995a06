// Turns each block's values around, by way of its dynamic __shared__ memory.
template <typename T> __global__ void mirror(T* data, int n) {
  extern __shared__ T part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? data[i] : T(0);
  if (!FAULT || n != 5)
    __syncthreads();
  const T other = part[blockDim.x - 1 - threadIdx.x];
  if (i < n)
    data[i] = FAULT && other == 77 ? 0 : other;
}
