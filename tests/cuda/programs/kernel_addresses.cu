// Addresses of kernels in device code: taken in functions of all kinds, launched by, asked about.
// nvcc takes all of it with -rdc=true; Clang refuses most.
// Link: -rdc=true
#include "check.h"

#ifndef __CUDACC_RDC__
#error "relocatable code is not known as such"
#endif

namespace lib {
template <typename T, int count> __global__ void fill(T* to, T value) {
  for (int i = 0; i < count; ++i)
    to[i] = value;
}
__global__ void five(int* to) {
  *to = 5;
}
__launch_bounds__(96) __global__ void limited(int* to) {
  __shared__ int part[500];
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  *to = part[0];
}
} // namespace lib

__device__ inline void put_parameters(char*, size_t) {}
template <typename First, typename... Others>
__device__ void put_parameters(char* buffer, size_t at, First first, Others... others) {
  at = (at + alignof(First) - 1) / alignof(First) * alignof(First);
  memcpy(buffer + at, &first, sizeof first);
  put_parameters(buffer, at + sizeof first, others...);
}

// CUB launches so: on each side by its own means.
template <typename Kernel, typename... Parameters>
__host__ __device__ cudaError_t launch(Kernel kernel, Parameters... parameters) {
#ifdef __CUDA_ARCH__
  void* buffer = cudaGetParameterBuffer(64, 64);
  put_parameters(static_cast<char*>(buffer), 0, parameters...);
  return cudaLaunchDevice((void*)kernel, buffer, dim3(1), dim3(1), 0, 0);
#else
  kernel<<<1, 1>>>(parameters...);
  return cudaPeekAtLastError();
#endif
}

#define GETTER(name, ...)                                                                          \
  __host__ __device__ static constexpr decltype(&__VA_ARGS__) name() { return &__VA_ARGS__; }

template <typename T> struct Kernels {
  GETTER(four, lib::fill<T, // as many elements as
                         4>)
  GETTER(one, lib::fill<T, (8 > 4 ? 1 : 2)>)
};

template <typename T> __host__ __device__ cudaError_t on_both_sides(T* to) {
  launch(lib::fill<T, 3>, to, T(2));
  launch(Kernels<T>::four(), to + 3, T(7));
  launch(Kernels<T>::one(), to + 7, T(9));
  launch(::lib::five, (int*)(to + 8));
  lib::fill<T, 2><<<1, 1, 0, 0>>>(to + 9, T(4));
  lib::five<<<1, 1, 0>>>((int*)(to + 14));
  lib::five<<<dim3(1), dim3(1), 0, 0>>>((int*)(to + 15));
  auto* chosen = &lib::fill<T, 2>; auto* other = lib::five; // two in a line
  chosen<<<dim3(1), 1>>>(to + 11, T(6));
  other<<<1, 1, 0, 0>>>((int*)(to + 13));
  return cudaPeekAtLastError();
}
__global__ void device_side(int* to, int* error) {
  *error = on_both_sides(to);
}

typedef void (*Filler)(int*, int);
__device__ Filler held;
__device__ void* of_five() { return (void*)lib::five; }
__device__ void by_pointer(Filler filler, int* to) {
  filler<<<1, 1>>>(to, 8);
}
__global__ void hold(bool* same) {
  held = lib::fill<int, 2>;
  same[0] = of_five() == (void*)&lib::five;
  same[1] = of_five() == (void*)lib::limited;
}
__global__ void use_held(int* to) { // another kernel than the one that took the address
  held<<<1, 1>>>(to, 3);
  by_pointer(held, to + 2);
}

// It launches a kernel with more __shared__ memory, which is not its own.
__global__ void child(int* to);
__global__ void parent(int* to) {
  __shared__ int own[4];
  own[threadIdx.x] = 1;
  child<<<1, 1>>>(to + own[0]);
}
__global__ void child(int* to) {
  __shared__ int part[500];
  part[threadIdx.x] = 3;
  to[0] = part[0];
}

struct Answers {
  int blocks[40];
  cudaFuncAttributes attributes;
  int grid, block, errors[4];
};
template <typename Kernel>
__host__ __device__ void ask(Kernel kernel, Answers& answers) {
  for (int i = 0; i < 40; ++i)
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&answers.blocks[i], kernel, i * 32 - 32,
                                                  i * 700);
  cudaFuncGetAttributes(&answers.attributes, kernel);
  cudaOccupancyMaxPotentialBlockSize(&answers.grid, &answers.block, kernel);
}
__global__ void ask_on_device(Answers* answers) {
  ask(lib::limited, answers[0]);
  ask(lib::fill<float, 3>, answers[1]);
  ask(parent, answers[2]);
  cudaFuncAttributes attributes;
  answers->errors[0] = cudaFuncGetAttributes(&attributes, (const void*)answers);
  answers->errors[1] = cudaFuncGetAttributes(nullptr, lib::limited);
  answers->errors[2] =
      cudaLaunchDevice((void*)answers, cudaGetParameterBuffer(8, 8), dim3(1), dim3(1), 0, 0);
  answers->errors[3] = cudaGetParameterBuffer(64, 1 << 20) == nullptr;
}

int main() {
  const int right[] = {2, 2, 2, 7, 7, 7, 7, 9, 5, 4, 4, 6, 6, 5, 5, 5};
  int *numbers, *error;
  bool* same;
  cudaMallocManaged(&numbers, 64 * sizeof(int));
  cudaMallocManaged(&error, sizeof(int));
  cudaMallocManaged(&same, 2);
  for (int side = 0; side < 2; ++side) {
    memset(numbers, 0, 64 * sizeof(int));
    if (side == 0)
      *error = on_both_sides(numbers);
    else
      device_side<<<1, 1>>>(numbers, error);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *error == cudaSuccess);
    for (int i = 0; i < 16; ++i)
      EXPECT(numbers[i] == right[i]);
  }
  hold<<<1, 1>>>(same);
  use_held<<<1, 1>>>(numbers);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(same[0] && !same[1]);
  EXPECT(numbers[0] == 3 && numbers[1] == 3 && numbers[2] == 8 && numbers[3] == 8);

  Answers* answers;
  cudaMallocManaged(&answers, 3 * sizeof(Answers));
  memset(answers, 0, 3 * sizeof(Answers));
  ask_on_device<<<1, 1>>>(answers);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  Answers host[3]{};
  ask(lib::limited, host[0]);
  ask(lib::fill<float, 3>, host[1]);
  ask(parent, host[2]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 40; ++j)
      EXPECT(host[i].blocks[j] == answers[i].blocks[j]);
    EXPECT(host[i].attributes.sharedSizeBytes == answers[i].attributes.sharedSizeBytes);
    EXPECT(host[i].attributes.maxThreadsPerBlock == answers[i].attributes.maxThreadsPerBlock);
    EXPECT(host[i].attributes.binaryVersion == answers[i].attributes.binaryVersion);
    EXPECT(host[i].attributes.maxDynamicSharedSizeBytes ==
          answers[i].attributes.maxDynamicSharedSizeBytes);
    EXPECT(host[i].grid == answers[i].grid && host[i].block == answers[i].block);
  }
  EXPECT(answers[0].attributes.sharedSizeBytes == 2000);
  EXPECT(answers[0].attributes.maxThreadsPerBlock == 96);
  EXPECT(answers[2].attributes.sharedSizeBytes == 16);
  EXPECT(answers[0].blocks[4] > 0 && answers[0].blocks[5] == 0);
#ifdef __GPUTEST_CUDA__ // not defined on a GPU
  EXPECT(answers->errors[0] == cudaErrorInvalidDeviceFunction);
  EXPECT(answers->errors[1] == cudaErrorInvalidValue);
  EXPECT(answers->errors[2] == cudaErrorInvalidDeviceFunction);
  EXPECT(answers->errors[3] == 1);
#endif
  return wrong;
}
