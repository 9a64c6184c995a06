// The sum of each block's numbers, in shared memory of a size that the launch says.
#include <cstdio>
#include <vector>

__global__ void sum(const int* numbers, int n, int* sums) {
  extern __shared__ int part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? numbers[i] : 0;
  __syncthreads();
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

bool test(int n, int block) {
  const int blocks = (n + block - 1) / block;
  std::vector<int> numbers(n), sums(blocks);
  for (int i = 0; i < n; ++i)
    numbers[i] = i % 11 - 3;
  int *device_numbers = nullptr, *device_sums = nullptr;
  cudaMalloc(&device_numbers, n * sizeof(int));
  cudaMalloc(&device_sums, blocks * sizeof(int));
  cudaMemcpy(device_numbers, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<blocks, block, block * sizeof(int)>>>(device_numbers, n, device_sums);
  cudaMemcpy(sums.data(), device_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_numbers);
  cudaFree(device_sums);
  if (cudaGetLastError() != cudaSuccess)
    return false;
  for (int b = 0; b < blocks; ++b) {
    int expected = 0;
    for (int i = b * block; i < n && i < (b + 1) * block; ++i)
      expected += numbers[i];
    if (sums[b] != expected)
      return false;
  }
  return true;
}

int main() {
  const bool right = test(1000, 64) && test(64, 64) && test(5, 32);
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
