// y = a * |x| + y, and a program around it: nothing is edited for a test.
#include "scaled.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <typename Number> __global__ void saxpy(int n, Number a, const Number* x, Number* y) {
  const int i = first() + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    y[i] = a * scaled(x[i]) + y[i];
}

void run(const std::vector<float>& x, float* on_device, float* y) {
  saxpy<float><<<static_cast<unsigned>(x.size() + 63) / 64, 64>>>(static_cast<int>(x.size()), 2.0f, on_device, y);
  if (cudaGetLastError() != cudaSuccess)
    std::printf("the launch failed\n");
}
