#include <cuda_runtime.h>
#include <vector>

// The host's compiler sees the same headers.
std::vector<int> fetch(const int* device, int count) {
  std::vector<int> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost);
  return values;
}
