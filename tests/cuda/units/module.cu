__device__ int sum;

extern "C" __global__ void add(const int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum, values[i]);
}
