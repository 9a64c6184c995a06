// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::std is the host's C++ library, whose constexpr functions work on the device, too. libcu++'s
// own parts, such as cuda::std::atomic, are found first.
#ifndef GPUTEST_CUDA_STANDARD_H
#define GPUTEST_CUDA_STANDARD_H

#include "cuda_runtime.h"

#include <utility>

namespace cuda {
namespace std {
using namespace ::std;
#ifdef __CUDA__ // ::std::swap is constexpr only since C++20
template <typename T> __host__ __device__ constexpr void swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
template <typename T, typename Other = T>
__host__ __device__ constexpr T exchange(T& place, Other&& value) {
  T kept = static_cast<T&&>(place);
  place = static_cast<Other&&>(value);
  return kept;
}
#endif
}
} // namespace cuda

#endif
