// What kernels ask of their device is what the host is told, for every attribute and limit, on each device.
// Environment: GPUTEST_CUDA_DEVICES=2
#include "check.h"

constexpr int kLimits = 12, kAttributes = cudaDevAttrMax + 2;
struct Answers {
  int error[kAttributes], value[kAttributes];
  int limit_error[kLimits];
  size_t limit[kLimits];
  int device, devices, version, ends[8];
  cudaFuncCache cache;
};

__global__ void ask(Answers* to) {
  const int none = -5;
  for (int i = 0; i < kAttributes; ++i) {
    to->value[i] = none;
    to->error[i] = cudaDeviceGetAttribute(&to->value[i], static_cast<cudaDeviceAttr>(i), 1);
  }
  for (int i = 0; i < kLimits; ++i) {
    to->limit[i] = 0;
    to->limit_error[i] = cudaDeviceGetLimit(&to->limit[i], static_cast<cudaLimit>(i));
  }
  int* const end = to->ends;
  end[0] = cudaGetDevice(&to->device) | cudaGetDeviceCount(&to->devices) | cudaRuntimeGetVersion(&to->version) | cudaDeviceGetCacheConfig(&to->cache);
  end[1] = cudaGetDevice(nullptr);
  end[2] = cudaGetDeviceCount(nullptr);
  end[3] = cudaDeviceGetAttribute(&to->version, cudaDevAttrWarpSize, 2);
  end[4] = cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0);
  end[5] = cudaDeviceGetLimit(nullptr, cudaLimitStackSize);
  end[6] = cudaDeviceGetCacheConfig(nullptr);
  end[7] = cudaGetLastError();
}

// printf() of a kernel prints zeros where arguments are missing.
__global__ void print() {
  const char* const format = "[%d]\n";
  printf(format);
}
// CHECK: [0]

int main() {
  Answers* answers = nullptr;
  EXPECT(cudaMallocManaged(&answers, sizeof *answers) == cudaSuccess);
  for (int device = 0; device < 2; ++device)
    for (const size_t stack : {1024, 5000}) {
      EXPECT(cudaSetDevice(device) == cudaSuccess);
      EXPECT(cudaDeviceSetLimit(cudaLimitStackSize, stack) == cudaSuccess);
      ask<<<1, 1>>>(answers);
      EXPECT(cudaDeviceSynchronize() == cudaSuccess);
      for (int i = 0; i < kAttributes; ++i) {
        int wanted = -5;
        EXPECT(answers->error[i] == cudaDeviceGetAttribute(&wanted, static_cast<cudaDeviceAttr>(i), 1) && answers->value[i] == wanted);
      }
      for (int i = 0; i < kLimits; ++i) {
        size_t wanted = 0;
        EXPECT(answers->limit_error[i] == cudaDeviceGetLimit(&wanted, static_cast<cudaLimit>(i)) && answers->limit[i] == wanted);
      }
      EXPECT(answers->limit[cudaLimitStackSize] == stack && answers->device == device && answers->devices == 2);
      EXPECT(answers->version == CUDART_VERSION && answers->cache == cudaFuncCachePreferNone);
      const int ends[8] = {cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidValue, cudaErrorInvalidDevice, cudaErrorInvalidValue, cudaErrorInvalidValue, cudaErrorInvalidValue, cudaSuccess};
      for (int i = 0; i < 8; ++i)
        EXPECT(answers->ends[i] == ends[i]);
    }
  print<<<1, 1>>>();
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  (void)cudaGetLastError();
  return wrong;
}
