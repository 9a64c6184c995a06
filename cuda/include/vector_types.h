// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's vector types (CUDA C++ Programming Guide, "Built-in Vector Types", with its alignments).
#ifndef GPUTEST_CUDA_VECTOR_TYPES_H
#define GPUTEST_CUDA_VECTOR_TYPES_H

#include "host_defines.h"

/* ROW(name, element, alignments of one and of three, of two, of four) */
#define GPUTEST_CUDA_VECTORS(ROW)                  \
  ROW(char, signed char, 1, 2, 4)                  \
  ROW(uchar, unsigned char, 1, 2, 4)               \
  ROW(short, short, 2, 4, 8)                       \
  ROW(ushort, unsigned short, 2, 4, 8)             \
  ROW(int, int, 4, 8, 16)                          \
  ROW(uint, unsigned int, 4, 8, 16)                \
  ROW(long, long, 8, 16, 16)                       \
  ROW(ulong, unsigned long, 8, 16, 16)             \
  ROW(longlong, long long, 8, 16, 16)              \
  ROW(ulonglong, unsigned long long, 8, 16, 16)    \
  ROW(float, float, 4, 8, 16)                      \
  ROW(double, double, 8, 16, 16)
/* Those of four words of 8 bytes, which CUDA 13 has with two alignments besides. */
#define GPUTEST_CUDA_LARGE_VECTORS(ROW) \
  ROW(long4, long)                      \
  ROW(ulong4, unsigned long)            \
  ROW(longlong4, long long)             \
  ROW(ulonglong4, unsigned long long)   \
  ROW(double4, double)

#ifdef GPUTEST_HIP
#include "gputest_hip/vector_members.h"
#else
#define GPUTEST_VECTOR_MEMBERS(name, element, size)
#endif
#define GPUTEST_VECTOR(name, alignment, ...)         \
  struct __align__(alignment) name { __VA_ARGS__ };  \
  typedef struct name name;
#define GPUTEST_VECTORS(name, element, one, two, four) \
  GPUTEST_VECTOR(name##1, one, element x; GPUTEST_VECTOR_MEMBERS(name##1, element, 1))              \
  GPUTEST_VECTOR(name##2, two, element x, y; GPUTEST_VECTOR_MEMBERS(name##2, element, 2))           \
  GPUTEST_VECTOR(name##3, one, element x, y, z; GPUTEST_VECTOR_MEMBERS(name##3, element, 3))        \
  GPUTEST_VECTOR(name##4, four, element x, y, z, w; GPUTEST_VECTOR_MEMBERS(name##4, element, 4))
#define GPUTEST_ALIGNED_VECTORS(name, element)          \
  GPUTEST_VECTOR(name##_16a, 16, element x, y, z, w;)    \
  GPUTEST_VECTOR(name##_32a, 32, element x, y, z, w;)
GPUTEST_CUDA_VECTORS(GPUTEST_VECTORS)
GPUTEST_CUDA_LARGE_VECTORS(GPUTEST_ALIGNED_VECTORS)
#undef GPUTEST_ALIGNED_VECTORS
#undef GPUTEST_VECTORS
#undef GPUTEST_VECTOR
#undef GPUTEST_VECTOR_MEMBERS

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int first = 1, unsigned int second = 1, unsigned int third = 1)
      : x(first), y(second), z(third) {}
  __host__ __device__ constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif

#endif
