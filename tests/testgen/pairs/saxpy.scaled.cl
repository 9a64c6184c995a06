// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has one value more than saxpy.cl, and other spellings.
__kernel void saxpy(__global const float* X, __global float* y_, float a, float scale, int N) {
  const int i = get_global_id(0);
  if (i < N)
    y_[i] = scale * a * X[i] + y_[i];
}
