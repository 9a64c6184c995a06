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

// Reads that are not aligned, far apart, chosen by a hash, or the same for a warp.
kernel void shifted(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[(Y * n + X + 1) % (n * n)];
}
kernel void copy3(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[(Y * n + X) * 3 % (n * n)];
}
kernel void columns(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[X * n + Y];
}
kernel void gather(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[((uint)(Y * n + X) * 2654435761u) >> 12];
}
kernel void scatter(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[((uint)(Y * n + X) * 2654435761u) >> 12] = in[Y * n + X];
}
kernel void one_row(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = in[Y];
}
kernel void fill(GLOBAL const float* in, GLOBAL float* out, uint n) {
  out[Y * n + X] = n;
}
kernel void half_of_them(GLOBAL const float* in, GLOBAL float* out, uint n) {
  if (X % 2 == 0)
    out[Y * n + X] = in[Y * n + X];
}
kernel void bytes(GLOBAL const float* in, GLOBAL float* out, uint n) {
  ((GLOBAL char*)out)[Y * n + X] = ((GLOBAL const char*)in)[Y * n + X];
}
// Four floats of each work-item: one access, or four.
kernel void vectors(GLOBAL const float* in, GLOBAL float* out, uint n) {
  if (Y < n / 4)
    ((GLOBAL float4*)out)[Y * n + X] = ((GLOBAL const float4*)in)[Y * n + X];
}
kernel void structures(GLOBAL const float* in, GLOBAL float* out, uint n) {
  const uint i = Y * n + X;
  if (Y < n / 4)
    out[i] = in[4 * i] * in[4 * i + 1] - in[4 * i + 2] * in[4 * i + 3];
}
kernel void arrays(GLOBAL const float* in, GLOBAL float* out, uint n) {
  const uint i = Y * n + X, part = n * n / 4;
  if (Y < n / 4)
    out[i] = in[i] * in[i + part] - in[i + 2 * part] * in[i + 3 * part];
}
// Lines that are used again.
kernel void stencil(GLOBAL const float* in, GLOBAL float* out, uint n) {
  const uint i = Y * n + X;
  if (X > 0 && X < n - 1 && Y > 0 && Y < n - 1)
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n];
}
kernel void row_convolution(GLOBAL const float* in, GLOBAL float* out, uint n) {
  float sum = 0;
  for (uint k = 0; k < 9; ++k)
    sum += in[Y * n + (X + k) % n] * (k + 1);
  out[Y * n + X] = sum;
}
kernel void column_sums(GLOBAL const float* in, GLOBAL float* out, uint n) {
  float sum = 0;
  for (uint k = 0; k < 16; ++k)
    sum += in[(Y + k) % n * n + X];
  out[Y * n + X] = sum;
}
kernel void small_table(GLOBAL const float* in, GLOBAL float* out, uint n) {
  float sum = 0;
  for (uint k = 0; k < 32; ++k)
    sum += in[k * 32 + U];
  out[Y * n + X] = sum;
}
// Each read chooses the next.
kernel void chain(GLOBAL const float* in, GLOBAL float* out, uint n) {
  uint i = Y * n + X;
  for (uint k = 0; k < 8; ++k)
    i = (i * 5 + (uint)in[i] + 1) % (n * n);
  out[Y * n + X] = i;
}
// Arithmetic alone.
kernel void arithmetic(GLOBAL const float* in, GLOBAL float* out, uint n) {
  float x = in[Y * n + X];
  for (uint k = 0; k < n; ++k)
    x = x * 0.5f + 1;
  out[Y * n + X] = x;
}
// Local memory: two words of a bank, and a scan with twenty barriers.
kernel void two_way(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float tile[2048];
  const uint i = V * 32 + U;
  tile[2 * i] = in[Y * n + X];
  WAIT;
  out[Y * n + X] = tile[2 * (1023 - i)];
}
kernel void scan(GLOBAL const float* in, GLOBAL float* out, uint n) {
  local float sums[1024];
  const uint i = V * 32 + U;
  sums[i] = in[Y * n + X];
  for (uint s = 1; s < 1024; s *= 2) {
    WAIT;
    const float before = i < s ? 0 : sums[i - s];
    WAIT;
    sums[i] += before;
  }
  out[Y * n + X] = sums[i];
}
// Atomic operations: of one work-item of each warp at 16 places, and of each at its own place.
kernel void counters(GLOBAL const float* in, GLOBAL float* out, uint n) {
  if (U == 0)
    COUNT(&((GLOBAL uint*)out)[Y % 16]);
}
kernel void own_counters(GLOBAL const float* in, GLOBAL float* out, uint n) {
  COUNT(&((GLOBAL uint*)out)[Y * n + X]);
}
