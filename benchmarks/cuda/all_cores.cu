// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast launches of a CUDA program are on several cores: seconds of the second launch of each
// kernel, and a hash of what it leaves in memory, which does not depend on the cores.
//
//   gputest-cuda -O2 -o all_cores all_cores.cu
//   for cores in 1 2 4 8 16; do GPUTEST_SIMULATOR_THREADS=$cores ./all_cores; done
//
// With checks, launches of a tenth of the size take as long:
//
//   GPUTEST_SIMULATOR_THREADS=16 gputest run --check=races -- ./all_cores 10
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void nbody(const float4* bodies, float4* forces, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const float4 mine = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < count; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
    const float square = dx * dx + dy * dy + dz * dz + 0.01f;
    const float force = other.w / (square * sqrtf(square));
    x += dx * force;
    y += dy * force;
    z += dz * force;
  }
  forces[i] = make_float4(x, y, z, 0);
}

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int size) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int at = 0; at < size; at += kTile) {
    left[y][x] = row < size && at + x < size ? a[row * size + at + x] : 0;
    right[y][x] = column < size && at + y < size ? b[(at + y) * size + column] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  if (row < size && column < size)
    c[row * size + column] = sum;
}

__global__ void saxpy(float* y, const float* x, float a, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    float value = y[i];
    for (int round = 0; round < 1500; ++round)
      value = value * a + x[i];
    y[i] = value;
  }
}

__global__ void histogram(const unsigned* numbers, unsigned* bins, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned value = numbers[i];
    for (int round = 0; round < 3000; ++round)
      value = value * 1664525u + 1013904223u;
    atomicAdd(bins + (value >> 24), 1u);
  }
}

__global__ void stencil(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
    return;
  float value = 0;
  for (int round = 0; round < 12000; ++round)
    value +=
        in[y * width + x] * 0.5f + 0.125f * (in[y * width + x - 1] + in[y * width + x + 1] +
                                             in[(y - 1) * width + x] + in[(y + 1) * width + x]);
  out[y * width + x] = value;
}

__global__ void in_place(float* a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < count - 1)
    for (int round = 0; round < 300; ++round)
      a[i] = a[i] * 0.9f + 0.1f * a[i + 1];
}

__global__ void collatz(int* steps, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int number = 0;
  for (long value = i + 1; value != 1; ++number)
    value = value & 1 ? 3 * value + 1 : value / 2;
  steps[i] = number;
}

template <typename Launch>
void measure(const char* name, const void* result, std::size_t bytes, Launch launch) {
  launch();
  cudaDeviceSynchronize();
  const auto start = std::chrono::steady_clock::now();
  launch();
  const cudaError_t error = cudaDeviceSynchronize();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::vector<unsigned char> left(bytes);
  cudaMemcpy(left.data(), result, bytes, cudaMemcpyDeviceToHost);
  unsigned long hash = 14695981039346656037ul;
  for (const unsigned char byte : left)
    hash = (hash ^ byte) * 1099511628211ul;
  std::printf("%-10s %8.3f s  %016lx  %s\n", name, took.count(), hash, cudaGetErrorName(error));
}

int main(int count_of_arguments, char** arguments) {
  constexpr int kCount = 1 << 20;
  const int part = count_of_arguments > 1 ? std::atoi(arguments[1]) : 1;
  const int bodies = 80'000 / part, size = 2000 / part, width = 1000 / part;
  const int count = kCount / part;
  std::vector<float> numbers(4 * kCount);
  std::srand(1);
  for (float& number : numbers)
    number = static_cast<float>(std::rand() % 1000) / 100.0f + 0.1f;
  const std::size_t bytes = numbers.size() * sizeof numbers[0];
  float *a, *b, *c;
  for (float** memory : {&a, &b, &c})
    cudaMalloc(memory, bytes);
  cudaMemcpy(a, numbers.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, bytes);
  cudaMemset(c, 0, bytes);
  measure("nbody", b, bodies * sizeof(float4), [&] {
    nbody<<<(bodies + 127) / 128, 128>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b),
                                         bodies);
  });
  measure("matmul", c, size * size * sizeof(float),
          [&] { matmul<<<dim3(size / kTile, size / kTile), dim3(kTile, kTile)>>>(a, b, c, size); });
  measure("few blocks", c, count * sizeof(float), [&] { saxpy<<<64, 256>>>(c, a, 0.5f, count); });
  measure("saxpy", c, bytes, [&] { saxpy<<<4 * count / 256, 256>>>(c, a, 0.5f, 4 * count); });
  measure("histogram", b, 256 * sizeof(unsigned), [&] {
    cudaMemset(b, 0, 256 * sizeof(unsigned));
    histogram<<<4096, 256>>>(reinterpret_cast<unsigned*>(a), reinterpret_cast<unsigned*>(b),
                             4 * count);
  });
  measure("stencil", b, kCount * sizeof(float),
          [&] { stencil<<<dim3(64, 64), dim3(16, 16)>>>(a, b, width, width); });
  measure("in_place", c, kCount * sizeof(float), [&] { in_place<<<count / 256, 256>>>(c, count); });
  measure("collatz", b, kCount * sizeof(int),
          [&] { collatz<<<count / 256, 256>>>(reinterpret_cast<int*>(b), count); });
}
