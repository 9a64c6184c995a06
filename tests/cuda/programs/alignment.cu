// alignas() wherever nvcc takes it: also behind __shared__ and __constant__.
#include "check.h"

#include <cstddef>
#include <cstdint>

struct alignas(32) Wide {
  float values[3];
};
template <typename T, int N> struct Aligned {
  alignas(T) char bytes[sizeof(T)];
  alignas(N > 8 ? N : 8) char more[3];
};
template <int... Numbers> struct Numbers_of {
  static constexpr int count = sizeof...(Numbers);
};

__constant__ alignas(64) int constant_values[3] = {1, 2, 3};

template <int Stages> __global__ void addresses(int* wrong_ones, float* out) {
  __shared__ alignas(alignof(float4)) float tile[Stages][5];
  __shared__ alignas(128) char first[3];
  alignas(double) __shared__ char second[3];
  __shared__ alignas(Wide) char third[sizeof(Wide)];
  alignas(16) int own[3] = {static_cast<int>(threadIdx.x), 2, 3};
  extern __shared__ __align__(16) char dynamic[];
  Aligned<Wide, 4 * Numbers_of<1, 2, 3, 4>::count> aligned;
  const auto is_at = [&](const void* p, int alignment) {
    if (reinterpret_cast<std::uintptr_t>(p) % alignment != 0)
      atomicAdd(wrong_ones, 1);
  };
  is_at(tile, 16);
  is_at(first, 128);
  is_at(second, 8);
  is_at(third, 32);
  is_at(own, 16);
  is_at(dynamic, 16);
  is_at(aligned.bytes, 32);
  is_at(aligned.more, 16);
  is_at(constant_values, 64);
  if (threadIdx.x < 5)
    tile[Stages - 1][threadIdx.x] = static_cast<float>(own[0]);
  __syncthreads();
  if (threadIdx.x == 0)
    *out = tile[Stages - 1][4] + constant_values[2];
}

// Elements of surfaces may be larger than texels, whose rows begin anywhere.
__global__ void through_surface(cudaSurfaceObject_t surface, int* out) {
  surf2Dwrite(make_int4(5, 6, 7, 8), surface, 0, 1);
  const int4 whole = surf2Dread<int4>(surface, 0, 1);
  *out = whole.x * 1000 + whole.w * 100 + surf2Dread<int>(surface, 8, 1);
  // One element fits into a row of 20 bytes.
  surf2Dwrite(make_int4(1, 2, 3, 4), surface, 16, 1, cudaBoundaryModeZero);
  const int4 first = surf2Dread<int4>(surface, 16, 1, cudaBoundaryModeClamp);
  *out += 10000 * (first.x == 5 && first.w == 8);
}

int main() {
  static_assert(alignof(Wide) == 32 && alignof(Aligned<char, 4>) == 8 &&
                    alignof(Aligned<Wide, 64>) == 64,
                "structures keep what they ask for");
  Device<int> wrong_ones(1);
  Device<float> out(1);
  addresses<2><<<1, 32, 64>>>(wrong_ones.data, out.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(wrong_ones[0] == 0 && out[0] == 7);

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaResourceDesc resource{};
  cudaSurfaceObject_t surface = 0;
  resource.resType = cudaResourceTypeArray;
  EXPECT(cudaMallocArray(&resource.res.array.array, &format, 5, 3, cudaArraySurfaceLoadStore) == cudaSuccess);
  EXPECT(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  Device<int> read(1);
  through_surface<<<1, 1>>>(surface, read.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && read[0] == 15807);
  return wrong;
}
