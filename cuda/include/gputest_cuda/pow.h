// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow() of device code with the types of C++11 (cmath.syn): double, unless both arguments are
// float. nvcc takes it from the host's <cmath>.
#ifndef GPUTEST_CUDA_POW_H
#define GPUTEST_CUDA_POW_H

static __device__ inline __attribute__((always_inline)) float pow(float base, float exponent) {
  return ::powf(base, exponent);
}
#ifdef GPUTEST_HIP // AMD's headers have these two of C++98
static __device__ inline __attribute__((always_inline)) float pow(float base, int exponent) {
  return ::powif(base, exponent);
}
static __device__ inline __attribute__((always_inline)) double pow(double base, int exponent) {
  return ::powi(base, exponent);
}
#endif
template <typename Base, typename Exponent>
static __device__ inline __attribute__((always_inline))
typename __clang_cuda_enable_if<std::numeric_limits<Base>::is_specialized &&
                                    std::numeric_limits<Exponent>::is_specialized,
                                double>::type
pow(Base base, Exponent exponent) {
  return ::pow(static_cast<double>(base), static_cast<double>(exponent));
}
namespace std {
using ::pow;
}

#endif
