// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Records where mutants of a CUDA file's operators would have other values.
 *
 * The pass defines GPUTEST_STATE and GPUTEST_FIRST, as for mutants.cuh, and GPUTEST_WORDS, the number of words
 * of bits, before this text. Host code records nothing.
 */
#ifndef GPUTEST_STATE_IS_BUFFER
extern "C" {
__device__ unsigned GPUTEST_STATE[GPUTEST_FIRST + GPUTEST_WORDS];
}
#endif

static __host__ __device__ __forceinline__ void gputest_differs(unsigned bit) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  atomicOr(GPUTEST_STATE + GPUTEST_FIRST + bit / 32, 1u << bit % 32);
#endif
}

template <typename T> static __host__ __device__ __forceinline__ bool gputest_is_other(T a, T b) { return a != b; }
/* All NaNs count as equal. */
static __host__ __device__ __forceinline__ bool gputest_is_other(float a, float b) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return (__float_as_uint(a) != __float_as_uint(b)) & !((a != a) & (b != b));
#else
  return a != b;
#endif
}
static __host__ __device__ __forceinline__ bool gputest_is_other(double a, double b) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return (__double_as_longlong(a) != __double_as_longlong(b)) & !((a != a) & (b != b));
#else
  return a != b;
#endif
}

/* Whether the integer division a / b is undefined. */
template <typename T> static __host__ __device__ __forceinline__ bool gputest_has_no_quotient(T a, T b) {
  return b == 0 || (T(-1) < T(0) && b == T(-1) && a == T(T(1) << (8 * sizeof(T) - 1)));
}
