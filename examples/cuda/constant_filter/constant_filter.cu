// A filter whose weights are in constant memory, and a counter that is a variable of the device.
#include <cstdio>
#include <vector>

constexpr int kRadius = 2;
__constant__ int weights[2 * kRadius + 1] = {1, 1, 1, 1, 1};
__device__ int calls;

__global__ void filter(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k)
    if (i + k >= 0 && i + k < n)
      sum += weights[k + kRadius] * in[i + k];
  out[i] = sum;
  atomicAdd(&calls, 1);
}

bool test(const std::vector<int>& w) {
  constexpr int n = 300;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * i % 31;
  int *device_in = nullptr, *device_out = nullptr;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  filter<<<5, 64>>>(device_in, device_out, n);
  cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k)
      if (i + k >= 0 && i + k < n)
        sum += w[k + kRadius] * in[i + k];
    if (out[i] != sum)
      return false;
  }
  return cudaGetLastError() == cudaSuccess;
}

int main() {
  bool right = test({1, 1, 1, 1, 1}); // as they are written
  const std::vector<int> other{1, -2, 5, -2, 1};
  right = cudaMemcpyToSymbol(weights, other.data(), sizeof weights) == cudaSuccess && right;
  right = test(other) && right;
  int count = 0;
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  right = right && count == 600;
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
