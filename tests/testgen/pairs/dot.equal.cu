// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sums, which round otherwise.
extern "C" __global__ void dot_rows(const float* m, const float* v, float* out, int rows,
                                    int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float even = 0, odd = 0;
  for (int i = 0; i + 1 < columns; i += 2) {
    even += m[row * columns + i] * v[i];
    odd += m[row * columns + i + 1] * v[i + 1];
  }
  if (columns > 0 && columns % 2 != 0)
    even += m[row * columns + columns - 1] * v[columns - 1];
  out[row] = even + odd;
}
