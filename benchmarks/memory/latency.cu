// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a load takes on a GPU that nobody else waits for: each one's address is what the last one
// loaded, in a random order of all lines. The numbers of templates/memory/h200.json come from it.
//
//     nvcc -O2 -arch=sm_90 -o latency latency.cu && ./latency
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t kLine = 16; // of so many addresses of 8 bytes

// `before`: loads that fill the caches. L1 keeps nothing from one launch to the next.
__global__ void chase(const unsigned long long* first, unsigned long long before,
                      unsigned long long steps, unsigned long long* out) {
  const unsigned long long* at = first;
  for (unsigned long long i = 0; i < before; ++i)
    at = reinterpret_cast<const unsigned long long*>(*at);
  const unsigned long long begin = clock64();
  for (unsigned long long i = 0; i < steps; ++i)
    at = reinterpret_cast<const unsigned long long*>(*at);
  out[0] = clock64() - begin;
  out[1] = reinterpret_cast<unsigned long long>(at); // so that it is not left out
}

__global__ void chase_shared(unsigned long long steps, unsigned long long* out) {
  __shared__ unsigned next[1024];
  for (unsigned i = 0; i < 1024; ++i)
    next[i] = (i * 37 + 33) % 1024 * 4;
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(next));
  unsigned at = 0;
  const unsigned long long begin = clock64();
  for (unsigned long long i = 0; i < steps; ++i)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(base + at));
  out[0] = clock64() - begin;
  out[1] = at;
}

int main() {
  unsigned long long *out = nullptr, cycles = 0;
  cudaMalloc(&out, 16);
  constexpr unsigned long long kShared = 4096;
  chase_shared<<<1, 1>>>(kShared, out);
  cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost);
  std::printf("shared memory %.1f\n", static_cast<double>(cycles) / kShared);
  for (const std::size_t kib : {16, 128, 192, 256, 1024, 24576, 49152, 131072, 524288}) {
    const std::size_t lines = kib * 1024 / (8 * kLine);
    unsigned long long* memory = nullptr;
    cudaMalloc(&memory, kib * 1024);
    std::vector<std::size_t> order(lines);
    for (std::size_t i = 0; i < lines; ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    std::vector<unsigned long long> text(lines * kLine);
    for (std::size_t i = 0; i < lines; ++i)
      text[order[i] * kLine] =
          reinterpret_cast<unsigned long long>(memory + order[(i + 1) % lines] * kLine);
    cudaMemcpy(memory, text.data(), kib * 1024, cudaMemcpyHostToDevice);
    const unsigned long long steps = std::clamp<std::size_t>(lines, 8192, 200'000);
    chase<<<1, 1>>>(memory, kib <= 65536 ? lines : 0, steps, out);
    cudaMemcpy(&cycles, out, 8, cudaMemcpyDeviceToHost);
    std::printf("%zu KiB %.1f\n", kib, static_cast<double>(cycles) / static_cast<double>(steps));
    cudaFree(memory);
  }
}
