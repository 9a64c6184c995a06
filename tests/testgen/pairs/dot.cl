// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row times a vector.
__kernel void dot_rows(__global const float* m, __global const float* v, __global float* out,
                       int rows, int columns) {
  const int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = 0; i < columns; ++i)
    sum += m[row * columns + i] * v[i];
  out[row] = sum;
}
