// Sums of tiles of 8 threads with cooperative groups, and of those threads that take a branch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void sums(const int* numbers, int* of_tiles, int* odd) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int i = blockIdx.x * block.size() + block.thread_rank();
  const int sum = cg::reduce(tile, numbers[i], cg::plus<int>());
  if (tile.thread_rank() == 0)
    of_tiles[i / 8] = sum;
  if (numbers[i] % 2 != 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
      atomicAdd(odd, active.size());
  }
}

int main() {
  constexpr int n = 192;
  std::vector<int> numbers(n), tiles(n / 8);
  for (int i = 0; i < n; ++i)
    numbers[i] = i * 7 % 29;
  int *device_numbers = nullptr, *device_tiles = nullptr, *device_odd = nullptr, odd = 0;
  cudaMalloc(&device_numbers, n * sizeof(int));
  cudaMalloc(&device_tiles, n / 8 * sizeof(int));
  cudaMalloc(&device_odd, sizeof(int));
  cudaMemset(device_odd, 0, sizeof(int));
  cudaMemcpy(device_numbers, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sums<<<3, 64>>>(device_numbers, device_tiles, device_odd);
  cudaMemcpy(tiles.data(), device_tiles, n / 8 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&odd, device_odd, sizeof(int), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  int all_odd = 0;
  for (int t = 0; t < n / 8; ++t) {
    int sum = 0;
    for (int i = 8 * t; i < 8 * t + 8; ++i) {
      sum += numbers[i];
      all_odd += numbers[i] % 2;
    }
    right = right && tiles[t] == sum;
  }
  right = right && odd == all_odd;
  cudaFree(device_numbers);
  cudaFree(device_tiles);
  cudaFree(device_odd);
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
