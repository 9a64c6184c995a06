// Complex numbers (CUDA's cuComplex.h).
#ifndef GPUTEST_CUDA_CUCOMPLEX_H
#define GPUTEST_CUDA_CUCOMPLEX_H

#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
static __inline__ __host__ __device__ cuFloatComplex make_cuFloatComplex(float x, float y) {
  cuFloatComplex z;
  z.x = x;
  z.y = y;
  return z;
}
static __inline__ __host__ __device__ float cuCrealf(cuFloatComplex z) {
  return z.x;
}
static __inline__ __host__ __device__ float cuCimagf(cuFloatComplex z) {
  return z.y;
}
static __inline__ __host__ __device__ cuFloatComplex cuConjf(cuFloatComplex z) {
  return make_cuFloatComplex(z.x, -z.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static __inline__ __host__ __device__ cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1 / (b.x * b.x + b.y * b.y);
  return make_cuFloatComplex((a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale);
}
static __inline__ __host__ __device__ float cuCabsf(cuFloatComplex z) {
  return sqrtf(z.x * z.x + z.y * z.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}
typedef double2 cuDoubleComplex;
static __inline__ __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double x, double y) {
  cuDoubleComplex z;
  z.x = x;
  z.y = y;
  return z;
}
static __inline__ __host__ __device__ double cuCreal(cuDoubleComplex z) {
  return z.x;
}
static __inline__ __host__ __device__ double cuCimag(cuDoubleComplex z) {
  return z.y;
}
static __inline__ __host__ __device__ cuDoubleComplex cuConj(cuDoubleComplex z) {
  return make_cuDoubleComplex(z.x, -z.y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static __inline__ __host__ __device__ cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1 / (b.x * b.x + b.y * b.y);
  return make_cuDoubleComplex((a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale);
}
static __inline__ __host__ __device__ double cuCabs(cuDoubleComplex z) {
  return sqrt(z.x * z.x + z.y * z.y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex((double)z.x, (double)z.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
typedef cuFloatComplex cuComplex;
static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}

#endif
