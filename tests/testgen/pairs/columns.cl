// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up the columns of a square matrix, each row with a weight.
kernel void columns(global float* A, global float* X, global float* Y, global float* Z, float beta,
                    int n) {
  int i = get_global_id(0);
  if (i < n) {
    for (int j = 0; j < n; j++)
      X[i] += beta * A[j * n + i] * Y[j];
    X[i] += Z[i];
  }
}
