// Mutants write outside, trap, or do not end: after each the GPU is another process's.
#include <cstdlib>

__global__ void put(int* out, int count) {
  int i = threadIdx.x + 64 * blockIdx.x;
  int steps = 0;
  for (int left = count; left > 0; left -= 8)
    ++steps;
  if (i >= count)
    __trap();
  out[i] = steps;
}

int main() {
  constexpr int n = 128;
  int *out = nullptr, host[n];
  cudaMalloc(&out, sizeof host);
  put<<<2, 64>>>(out, n);
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
    std::abort();
  for (const int one : host)
    if (one != 16)
      return 1;
  return 0;
}
