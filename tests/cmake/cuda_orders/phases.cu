// The second phase takes what the block before has left in the first. In the order in which blocks
// run, nobody notices that the barrier between them is missing.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void phases(int* first, int* second) {
  const int block = blockIdx.x;
  first[block] = block * block;
  cooperative_groups::this_grid().sync();
  second[block] = block > 0 ? first[block - 1] : 0;
}

int main() {
  constexpr int kBlocks = 8;
  int *first = nullptr, *second = nullptr, found[kBlocks];
  cudaMalloc(&first, sizeof found);
  cudaMalloc(&second, sizeof found);
  cudaMemset(first, 0, sizeof found);
  void* arguments[] = {&first, &second};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(phases), kBlocks, 1, arguments, 0, nullptr);
  cudaMemcpy(found, second, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 1; i < kBlocks; ++i)
    if (found[i] != (i - 1) * (i - 1)) {
      std::printf("%d: %d\n", i, found[i]);
      return 1;
    }
  return 0;
}
