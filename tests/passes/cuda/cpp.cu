// What C++ has: classes, templates, lambdas, range-based loops, declarations in conditions.
#include <cassert>
#include "scale.cuh"

#define CLAMP(x) ((x) < 0 ? 0 : (x) > tools::limit ? tools::limit : (x))
#define EACH(i, n) \
  for (int i = 0; \
       i < (n); ++i)

namespace tools {
constexpr int limit = 100;

struct Box {
  int values[4];
  __device__ Box(int first, bool twice) : values{twice ? 2 * first : first, 1, 2, 3} {}
  __host__ __device__ int sum() const {
    int all = 0;
    for (const int value : values)
      all += value;
    return all;
  }
  __device__ bool operator!() const { return values[0] == 0 || values[1] == 0; }
};

template <typename T, bool kDouble> __device__ T change(T value) {
  if constexpr (kDouble)
    return value * T(2);
  else
    return value > T(0) && value < T(10) ? value : T(0);
}
} // namespace tools

__device__ constexpr int square(int x) {
  return x > 0 ? x * x : 0;
}

__device__ int classify(int x) {
  switch (x & 3) {
  case 0:
    return 1;
  case 1:
    x += 5;
  case 2:
    x += 7;
    break;
  default:
    x = 0;
  }
  while (int rest = x % 7) {
    x -= rest;
    if (int small = x & 1)
      return small;
  }
  do
    ++x;
  while (x < 3);
  return x;
}

template <typename T> __global__ void run(T* out, int n) {
  __shared__ T part[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0);
  part[threadIdx.x] = T(CLAMP(i));
  __syncthreads();
  const auto pick = [&](int at) { return at < n ? part[at % blockDim.x] : T(0); };
  EACH(k, 3)
    part[threadIdx.x] = scaled(part[threadIdx.x]) + T(k);
  __syncwarp();
  tools::Box box(i, i > 5);
  if (const int which = classify(i); which > 1 && !!box)
    out[i] = tools::change<T, false>(pick(i + 1));
  else
    out[i] = tools::change<T, true>(T(square(2) + box.sum()));
}

template __global__ void run<int>(int*, int);
template __global__ void run<float>(float*, int);
