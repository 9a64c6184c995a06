// Keeps the good readings of a sensor, scales them and adds them up.
#include <cub/device/device_select.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cstdlib>
#include <cstring>

struct IsGood {
  __device__ bool operator()(int value) const {
    if (value < 0)
      return false;
    return value % 10 != 9;
  }
};

int main(int argc, char** argv) {
  const bool is_short = argc > 1 && std::strcmp(argv[1], "short") == 0;
  thrust::device_vector<int> values(300);
  for (int i = 0; i < 300; ++i)
    values[i] = i % 30 - 3;
  if (argc > 1 && std::strcmp(argv[1], "racing") == 0) {
    int* const sum = thrust::raw_pointer_cast(values.data());
    thrust::for_each(values.begin() + 1, values.end(), [sum] __device__(int value) {
      *sum += value;
    });
    cudaDeviceSynchronize();
    return 0;
  }
  thrust::device_vector<int> good(is_short ? 200 : 300), number(1);
  std::size_t bytes = 0;
  int* const to = thrust::raw_pointer_cast(good.data());
  cub::DeviceSelect::If(nullptr, bytes, values.begin(), to, number.begin(), 300, IsGood());
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  cub::DeviceSelect::If(storage, bytes, values.begin(), to, number.begin(), 300, IsGood());
  cudaFree(storage);
  const int count = number[0];
  thrust::transform(good.begin(), good.begin() + count, good.begin(),
                    [] __device__(int value) { return value > 20 ? 20 : value * 2; });
  int expected = 0, kept = 0;
  for (int i = 0; i < 300; ++i)
    if (const int value = i % 30 - 3; value >= 0 && value % 10 != 9) {
      ++kept;
      expected += value > 20 ? 20 : value * 2;
    }
  return kept == count && thrust::reduce(good.begin(), good.begin() + count) == expected ? 0 : 1;
}
