#include <hip/hip_runtime.h>

__host__ __device__ int clamped(int x) {
  return x < 0 ? 0 : x > 9 ? 9 : x;
}

template <typename T> __global__ void sum(T* data, int n) {
  __shared__ T part[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? data[i] : T(0);
  __syncthreads();
  for (int step = 16; step > 0; step /= 2) {
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    data[blockIdx.x * blockDim.x] = part[0];
}

float total(int n) {
  float host[32] = {}, *data = nullptr;
  for (int i = 0; i < n; ++i)
    host[i] = static_cast<float>(i);
  if (hipMalloc(&data, sizeof host) != hipSuccess ||
      hipMemcpy(data, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess)
    return -1;
  sum<float><<<1, 32>>>(data, n);
  if (hipMemcpy(host, data, sizeof host, hipMemcpyDeviceToHost) != hipSuccess ||
      hipFree(data) != hipSuccess)
    return -1;
  return host[0];
}

void launch_sum(float* data, int n) {
  hipLaunchKernelGGL(sum<float>, dim3(2), dim3(32), 0, 0, data, n);
}
