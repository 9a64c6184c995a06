// Prefix sums within warps by shuffles, and votes.
#include <cstdio>
#include <vector>

__global__ void scan(const int* numbers, int* sums, unsigned* negative) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int number = numbers[i];
  int sum = number;
  for (int delta = 1; delta < 32; delta *= 2) {
    const int before = __shfl_up_sync(0xffffffff, sum, delta);
    if (lane >= delta)
      sum += before;
  }
  sums[i] = sum;
  const unsigned lanes = __ballot_sync(0xffffffff, number < 0);
  if (lane == 0)
    negative[i / 32] = lanes;
}

int main() {
  constexpr int n = 256;
  std::vector<int> numbers(n), sums(n);
  std::vector<unsigned> negative(n / 32);
  for (int i = 0; i < n; ++i)
    numbers[i] = (i * 37) % 23 - 8;
  int *device_numbers = nullptr, *device_sums = nullptr;
  unsigned* device_negative = nullptr;
  cudaMalloc(&device_numbers, n * sizeof(int));
  cudaMalloc(&device_sums, n * sizeof(int));
  cudaMalloc(&device_negative, n / 32 * sizeof(unsigned));
  cudaMemcpy(device_numbers, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<2, 128>>>(device_numbers, device_sums, device_negative);
  cudaMemcpy(sums.data(), device_sums, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(negative.data(), device_negative, n / 32 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  int sum = 0;
  unsigned lanes = 0;
  for (int i = 0; i < n; ++i) {
    sum = i % 32 == 0 ? numbers[i] : sum + numbers[i];
    lanes = (i % 32 == 0 ? 0 : lanes) | (numbers[i] < 0 ? 1u << i % 32 : 0);
    right = right && sums[i] == sum && (i % 32 != 31 || negative[i / 32] == lanes);
  }
  cudaFree(device_numbers);
  cudaFree(device_sums);
  cudaFree(device_negative);
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
