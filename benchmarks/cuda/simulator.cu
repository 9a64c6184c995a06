// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast the simulator runs a CUDA program: processor time of the program and of the simulator, in
// nanoseconds for each thread of a launch, or for each launch.
//
//   gputest-cuda -O2 -o simulator simulator.cu && ./simulator [<name of a row>]
//
// Each row is launched once before it is measured, because that compiles the kernel. What kernels
// compute is checked.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

__global__ void nothing() {}

__global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count)
    sum[i] = a[i] + b[i];
}

// Tiles with a halo of one, and a barrier for each step.
__global__ void stencil(const float* in, float* out, int count, int steps) {
  __shared__ float tile[2][258];
  const int i = blockDim.x * blockIdx.x + threadIdx.x, at = threadIdx.x + 1;
  tile[0][at] = i < count ? in[i] : 0;
  tile[1][at] = 0;
  if (threadIdx.x == 0)
    tile[0][0] = tile[0][257] = tile[1][0] = tile[1][257] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* from = tile[step & 1];
    tile[(step + 1) & 1][at] = 0.25f * from[at - 1] + 0.5f * from[at] + 0.25f * from[at + 1];
    __syncthreads();
  }
  if (i < count)
    out[i] = tile[steps & 1][at];
}

__global__ void tree_sum(const int* in, int* sums, int count) {
  __shared__ int part[256];
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  part[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void shuffle_sum(const int* in, int* sums, int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  int value = i < count ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0)
    sums[i / 32] = value;
}

// This is the way from before __syncwarp: the last warp goes on in step.
__global__ void volatile_sum(const int* in, int* sums, int count) {
  __shared__ volatile int part[64];
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  part[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int step = 32; step > 0; step /= 2)
      part[threadIdx.x] += part[threadIdx.x + step];
    if (threadIdx.x == 0)
      sums[blockIdx.x] = part[0];
  }
}

__global__ void count_bytes(const unsigned char* in, unsigned* bins, int count) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
    atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static const char* wanted = "";

static double seconds_of(const std::string& process) {
  double all = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + process + "/task")) {
    double nanoseconds = 0;
    std::ifstream(thread.path() / "schedstat") >> nanoseconds;
    all += nanoseconds / 1e9;
  }
  return all;
}

static double processor_time() {
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  double seconds = seconds_of("self");
  for (std::string child; children >> child;)
    seconds += seconds_of(child);
  return seconds;
}

template <typename Launch>
static void measure(const char* name, double count, const char* of, Launch launch) {
  if (*wanted && std::strcmp(wanted, name) != 0)
    return;
  launch();
  cudaDeviceSynchronize();
  const double begin = processor_time();
  launch();
  cudaDeviceSynchronize();
  const double seconds = processor_time() - begin;
  std::printf("%-14s %8.3f s %10.2f ns a %s\n", name, seconds, seconds / count * 1e9, of);
  std::fflush(stdout);
}

static void expect(bool holds, const char* what) {
  if (holds)
    return;
  std::printf("%s computes something else\n", what);
  std::exit(1);
}

int main(int count, char** arguments) {
  if (count > 1)
    wanted = arguments[1];
  constexpr int kLaunches = 20000, kMany = 50'000'000, kSome = 1 << 22;

  measure("nothing", kLaunches, "launch", [] {
    for (int i = 0; i < kLaunches; ++i)
      nothing<<<1, 32>>>();
  });

  float *a = nullptr, *b = nullptr, *sum = nullptr;
  cudaMallocManaged(&a, kMany * sizeof(float));
  cudaMallocManaged(&b, kMany * sizeof(float));
  cudaMallocManaged(&sum, kMany * sizeof(float));
  for (int i = 0; i < kSome; ++i)
    a[i] = b[i] = static_cast<float>(i % 8);
  measure("vector_add", kMany, "thread",
          [&] { vector_add<<<(kMany + 255) / 256, 256>>>(a, b, sum, kMany); });
  expect(*wanted || sum[5] == 10, "vector_add");
  measure("stencil", 8.0 * kSome, "thread and barrier",
          [&] { stencil<<<kSome / 256, 256>>>(a, sum, kSome, 8); });

  int *numbers = nullptr, *sums = nullptr;
  cudaMallocManaged(&numbers, kSome * sizeof(int));
  cudaMallocManaged(&sums, kSome / 32 * sizeof(int));
  for (int i = 0; i < kSome; ++i)
    numbers[i] = i % 32;
  measure("tree_sum", kSome, "thread",
          [&] { tree_sum<<<kSome / 256, 256>>>(numbers, sums, kSome); });
  expect(*wanted || sums[1] == 8 * 496, "tree_sum");
  measure("shuffle_sum", kSome, "thread",
          [&] { shuffle_sum<<<kSome / 256, 256>>>(numbers, sums, kSome); });
  expect(*wanted || sums[1] == 496, "shuffle_sum");
  measure("volatile_sum", kSome, "thread",
          [&] { volatile_sum<<<kSome / 64, 64>>>(numbers, sums, kSome); });
  expect(*wanted || sums[1] == 2 * 496, "volatile_sum");

  unsigned* bins = nullptr;
  cudaMallocManaged(&bins, 256 * sizeof(unsigned));
  measure("count_bytes", 4.0 * kSome, "byte", [&] {
    count_bytes<<<64, 256>>>(reinterpret_cast<unsigned char*>(numbers), bins, 4 * kSome);
  });
  expect(*wanted || bins[31] == 2 * kSome / 32, "count_bytes");
  return 0;
}
