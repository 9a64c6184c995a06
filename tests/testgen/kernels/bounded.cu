// No block may have more than 32 threads.
__global__ void __launch_bounds__(32) negate(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] > 60 ? in[i] : -in[i];
  if (threadIdx.x == 40)
    out[0] = 1;
  if (blockDim.x * blockDim.y == 30)
    out[n - 1] = 2;
}
