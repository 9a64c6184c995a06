// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers (CUDA's cuComplex.h).
#ifndef GPUTEST_CUDA_CUCOMPLEX_H
#define GPUTEST_CUDA_CUCOMPLEX_H

#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
// `f`: what ends the names of functions of float. `most`: the largest finite number.
#define GPUTEST_COMPLEX(T, complex, f, most)                                                       \
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
/* Both are scaled by the size of the divisor, so squares stay in range. */                        \
static __inline__ __host__ __device__ complex cuCdiv##f(complex a, complex b) {                    \
  const T scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                               \
  const complex n = make_##complex(a.x * scale, a.y * scale);                                      \
  const complex d = make_##complex(b.x * scale, b.y * scale);                                      \
  const T inverse = 1 / (d.x * d.x + d.y * d.y);                                                   \
  return make_##complex((n.x * d.x + n.y * d.y) * inverse, (n.y * d.x - n.x * d.y) * inverse);     \
}                                                                                                  \
/* By the ratio of the smaller part to the larger one, which may be zero or infinite. */           \
static __inline__ __host__ __device__ T cuCabs##f(complex z) {                                     \
  const T x = fabs##f(z.x), y = fabs##f(z.y);                                                      \
  const T large = x > y ? x : y, small = x > y ? y : x;                                            \
  if (large == 0 || large > most || small > most)                                                  \
    return large + small;                                                                          \
  const T ratio = small / large;                                                                   \
  return large * sqrt##f(1 + ratio * ratio);                                                       \
}                                                                                                  \
/* The sum takes part in the first product of each part. */                                        \
static __inline__ __host__ __device__ complex cuCfma##f(complex a, complex b, complex c) {         \
  const complex first = make_##complex(a.x * b.x + c.x, a.x * b.y + c.y);                          \
  return make_##complex(first.x - a.y * b.y, a.y * b.x + first.y);                                 \
}
GPUTEST_COMPLEX(float, cuFloatComplex, f, 3.402823466e38f)
GPUTEST_COMPLEX(double, cuDoubleComplex, , 1.7976931348623157e308)
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
