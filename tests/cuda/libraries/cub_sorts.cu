// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB: algorithms of the whole device that sort.
//
// Needs: cub/version.cuh libcub-dev
#include "table.h"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

#include <numeric>

#include "device_memory.h"

struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a % 50 < b % 50; }
};

static const Row kRows[]{
    {"DeviceRadixSort::SortKeys",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count, 1000000);
       for (int& value : expected)
         value -= 500000;
       const Memory values(expected), sorted(count);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceRadixSort::SortKeys(storage, bytes, values.data, sorted.data, count);
       });
       std::sort(expected.begin(), expected.end());
       return sorted.read() == expected;
     }},
    {"DeviceRadixSort::SortPairsDescending with a double buffer",
     [](Random& random, int count) {
       const std::vector<int> keys = numbers(random, count, 1000);
       std::vector<int> expected(count);
       std::iota(expected.begin(), expected.end(), 0);
       const Memory of(keys), more(count), values(expected), others(count);
       cub::DoubleBuffer<int> key_buffers(of.data, more.data),
           value_buffers(values.data, others.data);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, key_buffers,
                                                          value_buffers, count, 0, 10);
       });
       std::stable_sort(expected.begin(), expected.end(),
                        [&](int a, int b) { return keys[a] > keys[b]; });
       std::vector<int> result(count);
       cudaMemcpy(result.data(), value_buffers.Current(), count * sizeof(int),
                  cudaMemcpyDeviceToHost);
       return result == expected;
     },
     Run::Long},
    {"DeviceSegmentedRadixSort::SortKeys",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count, 1000), bounds{0};
       while (bounds.back() < count)
         bounds.push_back(std::min(count, bounds.back() + 1 + below(random, 400)));
       const int segments = static_cast<int>(bounds.size()) - 1;
       const Memory values(expected), sorted(count), begins(bounds);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceSegmentedRadixSort::SortKeys(storage, bytes, values.data, sorted.data,
                                                        count, segments, begins.data,
                                                        begins.data + 1);
       });
       for (int i = 0; i < segments; ++i)
         std::sort(expected.begin() + bounds[i], expected.begin() + bounds[i + 1]);
       return sorted.read() == expected;
     }},
    {"DeviceMergeSort::StableSortKeys",
     [](Random& random, int count) {
       std::vector<int> expected = numbers(random, count, 1000);
       const Memory values(expected);
       with_storage([&](void* storage, std::size_t& bytes) {
         return cub::DeviceMergeSort::StableSortKeys(storage, bytes, values.data, count, Less());
       });
       std::stable_sort(expected.begin(), expected.end(), Less());
       return values.read() == expected;
     }},
};

int main() {
  return failures(kRows, 6000);
}
