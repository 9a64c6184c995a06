#include <hip/hip_runtime.h>

extern "C" __global__ void add(int* data, int value) {
  data[threadIdx.x] += value;
}
