// The barrier is in a branch, and the threads beside it have nothing more to do.
__global__ void leave(int* data, int n) {
  __shared__ int tile[16];
  const int t = threadIdx.x;
  if (t < n) {
    tile[t] = data[t];
    __syncthreads();
    data[t] = tile[n - 1 - t];
    for (int i = 0; i < n; ++i)
      __syncthreads();
  }
}
