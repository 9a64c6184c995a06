// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the device, and the temporary storage that CUB's algorithms ask for.
#pragma once

#include <vector>

struct Memory {
  int* data = nullptr;
  int count;

  explicit Memory(int size) : count(size) {
    cudaMalloc(&data, (count + 1) * sizeof(int));
    cudaMemset(data, 0, (count + 1) * sizeof(int));
  }
  explicit Memory(const std::vector<int>& values) : Memory(static_cast<int>(values.size())) {
    cudaMemcpy(data, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cudaFree(data); }

  std::vector<int> read() const { return read(count); }
  std::vector<int> read(int size) const {
    std::vector<int> values(size);
    cudaMemcpy(values.data(), data, size * sizeof(int), cudaMemcpyDeviceToHost);
    return values;
  }
};

// Calls an algorithm for the size of its storage, and once more with it.
template <typename Algorithm> void with_storage(Algorithm algorithm) {
  std::size_t bytes = 0;
  algorithm(nullptr, bytes);
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  if (const cudaError_t error = algorithm(storage, bytes))
    std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(storage);
}
