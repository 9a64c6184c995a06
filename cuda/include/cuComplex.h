// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers (CUDA's cuComplex.h).
#ifndef GPUTEST_CUDA_CUCOMPLEX_H
#define GPUTEST_CUDA_CUCOMPLEX_H

#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
// `f`: what ends the names of functions of float.
#define GPUTEST_COMPLEX(T, complex, f)                                                             \
static __inline__ __host__ __device__ complex make_##complex(T x, T y) {                           \
  complex z;                                                                                       \
  z.x = x;                                                                                         \
  z.y = y;                                                                                         \
  return z;                                                                                        \
}                                                                                                  \
static __inline__ __host__ __device__ T cuCreal##f(complex z) {                                    \
  return z.x;                                                                                      \
}                                                                                                  \
static __inline__ __host__ __device__ T cuCimag##f(complex z) {                                    \
  return z.y;                                                                                      \
}                                                                                                  \
static __inline__ __host__ __device__ complex cuConj##f(complex z) {                               \
  return make_##complex(z.x, -z.y);                                                                \
}                                                                                                  \
static __inline__ __host__ __device__ complex cuCadd##f(complex a, complex b) {                    \
  return make_##complex(a.x + b.x, a.y + b.y);                                                     \
}                                                                                                  \
static __inline__ __host__ __device__ complex cuCsub##f(complex a, complex b) {                    \
  return make_##complex(a.x - b.x, a.y - b.y);                                                     \
}                                                                                                  \
static __inline__ __host__ __device__ complex cuCmul##f(complex a, complex b) {                    \
  return make_##complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                             \
}                                                                                                  \
static __inline__ __host__ __device__ complex cuCdiv##f(complex a, complex b) {                    \
  const T scale = 1 / (b.x * b.x + b.y * b.y);                                                     \
  return make_##complex((a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale);         \
}                                                                                                  \
static __inline__ __host__ __device__ T cuCabs##f(complex z) {                                     \
  return sqrt##f(z.x * z.x + z.y * z.y);                                                           \
}                                                                                                  \
static __inline__ __host__ __device__ complex cuCfma##f(complex a, complex b, complex c) {         \
  return cuCadd##f(cuCmul##f(a, b), c);                                                            \
}
GPUTEST_COMPLEX(float, cuFloatComplex, f)
GPUTEST_COMPLEX(double, cuDoubleComplex, )
#undef GPUTEST_COMPLEX
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
