// The same for CUDA, in the way of before Volta.
#ifndef BOUND
#define BOUND 64
#endif
extern "C" __global__ void __launch_bounds__(BOUND) bounded_sum(const int* in, int* out, int most) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32)
    for (int by = 32; by > 0; by >>= 1)
      part[t] += part[t + by];
  if (t == 0)
    out[blockIdx.x] = part[0] > most ? most : part[0];
}
