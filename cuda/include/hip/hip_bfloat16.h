// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's older type of 16 bits with the exponent of float.
#ifndef GPUTEST_HIP_BFLOAT16_H
#define GPUTEST_HIP_BFLOAT16_H

#include "hip/hip_runtime.h"

#ifdef __cplusplus

#include <cstdint>

struct hip_bfloat16 {
  std::uint16_t data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  __host__ __device__ explicit hip_bfloat16(float f) : data(bits_of(f) >> 16) {
    const std::uint32_t bits = bits_of(f);
    if ((bits & 0x7f800000) != 0x7f800000) // to the nearest, ties to even
      data = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    else if (bits & 0xffff) // not a number stays none
      data |= 1;
  }
  __host__ __device__ hip_bfloat16(float f, truncate_t) : data(bits_of(f) >> 16) {
    const std::uint32_t bits = bits_of(f);
    if ((bits & 0x7f800000) == 0x7f800000 && (bits & 0xffff))
      data |= 1;
  }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float f) { return hip_bfloat16(f); }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float f, truncate_t) {
    return hip_bfloat16(f, truncate);
  }
  __host__ __device__ operator float() const {
    const std::uint32_t bits = std::uint32_t(data) << 16;
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
  }
  __host__ __device__ hip_bfloat16& operator=(const float& f) { return *this = hip_bfloat16(f); }

private:
  static __host__ __device__ std::uint32_t bits_of(float f) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &f, sizeof bits);
    return bits;
  }
};

#define GPUTEST_HIP_BINARY(op)                                                                     \
  inline __host__ __device__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {            \
    return hip_bfloat16(float(a) op float(b));                                                     \
  }                                                                                                \
  inline __host__ __device__ hip_bfloat16& operator op##=(hip_bfloat16& a, hip_bfloat16 b) {       \
    return a = a op b;                                                                             \
  }
// clang-format off
GPUTEST_HIP_BINARY(+)
GPUTEST_HIP_BINARY(-)
GPUTEST_HIP_BINARY(*)
GPUTEST_HIP_BINARY(/)
// clang-format on
#undef GPUTEST_HIP_BINARY
inline __host__ __device__ hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
#define GPUTEST_HIP_COMPARISON(op)                                                                 \
  inline __host__ __device__ bool operator op(hip_bfloat16 a, hip_bfloat16 b) {                    \
    return float(a) op float(b);                                                                   \
  }
// clang-format off
GPUTEST_HIP_COMPARISON(<)
GPUTEST_HIP_COMPARISON(<=)
GPUTEST_HIP_COMPARISON(>)
GPUTEST_HIP_COMPARISON(>=)
GPUTEST_HIP_COMPARISON(==)
GPUTEST_HIP_COMPARISON(!=)
// clang-format on
#undef GPUTEST_HIP_COMPARISON

#endif
#endif
