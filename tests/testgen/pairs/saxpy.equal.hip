// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translated to HIP.
#include <hip/hip_runtime.h>
extern "C" __global__ void saxpy(const float* x, float* y, float a, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n)
    y[i] = fmaf(a, x[i], y[i]);
}
