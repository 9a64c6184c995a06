// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other names of arguments, and places from a linear number.
extern "C" __global__ void transpose(const float* src, float* dst, int columns, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  const int number = y * columns + x;
  dst[number % columns * rows + number / columns] = src[number];
}
