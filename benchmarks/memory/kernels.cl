// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of kernels whose access patterns are known: OpenCL C for the model, and included by
// hardware.cu as CUDA. Work-groups have 32 x 32 work-items.
#ifndef __CUDACC__
#define GLOBAL global
#define U get_local_id(0)
#define V get_local_id(1)
#define X get_global_id(0)
#define Y get_global_id(1)
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#define COUNT(p) atomic_inc(p)
#define LOCAL_COUNT(p) atomic_inc(p)
#define ADD(p, n) atomic_add(p, n)
#endif

// As large as 26 to 31 bits of a multiplicative hash: 64 different values.
kernel void init(GLOBAL float* in, GLOBAL float* out, uint n) {
  in[Y * n + X] = ((Y * n + X) * 2654435761u) >> 26;
}
kernel void copy(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[Y * n + X];
}
kernel void copy2(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[(Y * n + X) * 2 % (n * n)];
}
kernel void copy8(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[(Y * n + X) * 8 % (n * n)];
}
kernel void naive(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[X * n + Y] = in[Y * n + X];
}
kernel void tiled(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float tile[32][32];
  tile[V][U] = in[Y * n + X];
  WAIT;
  out[(X - U + V) * n + Y - V + U] = tile[U][V];
}
kernel void padded(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float tile[32][33];
  tile[V][U] = in[Y * n + X];
  WAIT;
  out[(X - U + V) * n + Y - V + U] = tile[U][V];
}
kernel void interleaved(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float sums[1024];
  const uint i = V * 32 + U;
  sums[i] = in[Y * n + X];
  for (uint s = 1; s < 1024; s *= 2) {
    WAIT;
    if (2 * s * i < 1024)
      sums[2 * s * i] += sums[2 * s * i + s];
  }
  if (i == 0)
    out[Y / 32 * (n / 32) + X / 32] = sums[0];
}
kernel void sequential(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float sums[1024];
  const uint i = V * 32 + U;
  sums[i] = in[Y * n + X];
  for (uint s = 512; s > 0; s /= 2) {
    WAIT;
    if (i < s)
      sums[i] += sums[i + s];
  }
  if (i == 0)
    out[Y / 32 * (n / 32) + X / 32] = sums[0];
}
kernel void multiply(GLOBAL const float* in, GLOBAL float* out, uint n) {
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += in[Y * n + k] * in[k * n + X];
  out[Y * n + X] = sum;
}
kernel void multiply_tiled(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float a[32][32], b[32][32];
  float sum = 0;
  for (uint t = 0; t < n; t += 32) {
    a[V][U] = in[Y * n + t + U];
    b[V][U] = in[(t + V) * n + X];
    WAIT;
    for (uint k = 0; k < 32; ++k)
      sum += a[V][k] * b[k][U];
    WAIT;
  }
  out[Y * n + X] = sum;
}
kernel void histogram(GLOBAL const float* in, GLOBAL float* out, uint n) {
  COUNT(&((GLOBAL uint*)out)[(uint)in[Y * n + X] % 64]);
}
kernel void histogram_local(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local uint counts[64];
  const uint i = V * 32 + U;
  if (i < 64)
    counts[i] = 0;
  WAIT;
  LOCAL_COUNT(&counts[(uint)in[Y * n + X] % 64]);
  WAIT;
  if (i < 64)
    ADD(&((GLOBAL uint*)out)[i], counts[i]);
}
