// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}
