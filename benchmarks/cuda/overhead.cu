// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What recording costs on a GPU: milliseconds of each kernel, the shortest of 20 launches.
#include <algorithm>
#include <cstdio>

constexpr int kTile = 16, kBlock = 256, kBins = 64;

__global__ void saxpy(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2.5f * x[i] + y[i];
}

__global__ void multiply(const float* a, const float* b, float* c, int width) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < width; tile += kTile) {
    left[threadIdx.y][threadIdx.x] = a[row * width + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * width + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

__global__ void reduce(const float* x, float* sums, int n) {
  __shared__ float part[kBlock];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int width = kBlock / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

__global__ void stencil(const float* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= width)
    return;
  float sum = in[y * width + x];
  if (x > 0)
    sum += in[y * width + x - 1];
  if (x < width - 1)
    sum += in[y * width + x + 1];
  if (y > 0)
    sum += in[(y - 1) * width + x];
  if (y < width - 1)
    sum += in[(y + 1) * width + x];
  out[y * width + x] = sum / 5;
}

__global__ void histogram(const float* x, unsigned* bins, int n) {
  __shared__ unsigned part[kBins];
  if (threadIdx.x < kBins)
    part[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&part[static_cast<unsigned>(x[i]) % kBins], 1);
  __syncthreads();
  if (threadIdx.x < kBins)
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

__global__ void bodies(const float* x, float* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float distance = x[k] - x[i];
    sum += distance * rsqrtf(distance * distance + 0.01f);
  }
  force[i] = sum;
}

__global__ void mandelbrot(int* steps, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float a = 3.0f * x / width - 2, b = 2.0f * y / width - 1;
  float real = 0, imaginary = 0;
  int step = 0;
  while (step < 200 && real * real + imaginary * imaginary < 4) {
    const float next = real * real - imaginary * imaginary + a;
    imaginary = 2 * real * imaginary + b;
    real = next;
    ++step;
  }
  steps[y * width + x] = step;
}

__global__ void transpose(const float* in, float* out, int width) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[(blockIdx.x * kTile + threadIdx.y) * width + blockIdx.y * kTile + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}

template <typename Launch> void measure(const char* name, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float shortest = 1e9f;
  for (int i = 0; i < 20; ++i) {
    float milliseconds = 0;
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
    shortest = std::min(shortest, milliseconds);
  }
  std::printf("%s %.4f\n", name, shortest);
}

int main(int argc, char**) {
  const int n = argc > 1 ? 1 << 12 : 1 << 25, width = argc > 1 ? 64 : 2048, some = argc > 1 ? 256 : 1 << 15;
  float *a = nullptr, *b = nullptr, *c = nullptr;
  for (float** memory : {&a, &b, &c})
    if (cudaMalloc(memory, sizeof(float) * std::max(n, width * width)) != cudaSuccess)
      return 1;
  cudaMemset(a, 0x41, sizeof(float) * n);
  cudaMemset(b, 0x41, sizeof(float) * n);
  cudaMemset(c, 0, sizeof(float) * n);
  const dim3 tiles(width / kTile, width / kTile), tile(kTile, kTile);
  measure("saxpy", [&] { saxpy<<<n / kBlock, kBlock>>>(a, c, n); });
  measure("multiply", [&] { multiply<<<tiles, tile>>>(a, b, c, width); });
  measure("reduce", [&] { reduce<<<264, kBlock>>>(a, c, n); });
  measure("stencil", [&] { stencil<<<tiles, tile>>>(a, c, width); });
  measure("histogram", [&] { histogram<<<264, kBlock>>>(a, reinterpret_cast<unsigned*>(c), n); });
  measure("bodies", [&] { bodies<<<some / kBlock, kBlock>>>(a, c, some); });
  measure("mandelbrot", [&] { mandelbrot<<<tiles, tile>>>(reinterpret_cast<int*>(c), width); });
  measure("transpose", [&] { transpose<<<tiles, tile>>>(a, c, width); });
  return cudaDeviceSynchronize();
}
