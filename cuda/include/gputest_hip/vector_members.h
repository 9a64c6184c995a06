// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors of HIP's vector types, which CUDA's do not have. They are in vector_types.h.
#ifndef GPUTEST_HIP_VECTOR_MEMBERS_H
#define GPUTEST_HIP_VECTOR_MEMBERS_H

#define GPUTEST_VECTOR_MEMBERS(name, element, size)                                                \
  name() = default;                                                                                \
  GPUTEST_VECTOR_CONSTRUCTORS_##size(name, element)
#define GPUTEST_VECTOR_CONSTRUCTORS_1(name, element)                                               \
  __host__ __device__ constexpr name(element a) : x(a) {}
#define GPUTEST_VECTOR_CONSTRUCTORS_2(name, element)                                               \
  __host__ __device__ constexpr explicit name(element a) : x(a), y(a) {}                           \
  __host__ __device__ constexpr name(element a, element b) : x(a), y(b) {}
#define GPUTEST_VECTOR_CONSTRUCTORS_3(name, element)                                               \
  __host__ __device__ constexpr explicit name(element a) : x(a), y(a), z(a) {}                     \
  __host__ __device__ constexpr name(element a, element b, element c) : x(a), y(b), z(c) {}
#define GPUTEST_VECTOR_CONSTRUCTORS_4(name, element)                                               \
  __host__ __device__ constexpr explicit name(element a) : x(a), y(a), z(a), w(a) {}               \
  __host__ __device__ constexpr name(element a, element b, element c, element d)                   \
      : x(a), y(b), z(c), w(d) {}

#endif
