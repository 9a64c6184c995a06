// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations for device code without a toolkit: Clang's own CUDA headers, and what these expect
// of a toolkit.
#ifndef GPUTEST_CUDA_DEVICE_H
#define GPUTEST_CUDA_DEVICE_H

#define pow gputest_clang_pow // Clang's returns float for a float and an int, as C++98's
#include <__clang_cuda_math_forward_declares.h>
#undef pow

#define __CUDACC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDA_ARCH_LIST__ 800
// Lambdas of nvcc whose types differ between host and device. Clang has none.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

// Clang's <new>, which <math.h> includes from C++20 on, refers to them. <cstdlib> has them in std.
extern "C" {
__device__ void free(void*) __attribute((nothrow));
__device__ void* malloc(__SIZE_TYPE__) __attribute((nothrow)) __attribute__((malloc));
__device__ void* __cuda_syscall_aligned_malloc(__SIZE_TYPE__ size, __SIZE_TYPE__ alignment);
}
// Allocates as malloc() does, at a multiple of an alignment: a power of two, here at most 4096.
static __device__ inline void* __nv_aligned_device_malloc(__SIZE_TYPE__ size, __SIZE_TYPE__ alignment) {
  return __cuda_syscall_aligned_malloc(size, alignment);
}

// Programs use these without including them.
#include <assert.h>
#include <math.h> // host code has isfinite() and its like without std, too
#include <stdio.h>
#include <time.h>

#include <climits>
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

#include "gputest_cuda/builtin_variables.h" // in front of Clang's headers
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t char_size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_memory = 0,
                                     void* stream = 0);
}
namespace std {
// Device code names it in the types of its functions, where Clang takes no function of the host.
template <typename T> __device__ typename add_rvalue_reference<T>::type declval() noexcept;

#ifdef __GLIBCXX__ // devices have no exceptions
[[noreturn]] __device__ static inline void __throw_bad_optional_access() {
  __trap();
  __builtin_unreachable();
}
[[noreturn]] __device__ static inline void __throw_bad_variant_access(const char*) {
  __trap();
  __builtin_unreachable();
}
[[noreturn]] __device__ static inline void __throw_bad_variant_access(unsigned) {
  __trap();
  __builtin_unreachable();
}
template <typename... Values>
[[noreturn]] __device__ static inline void __throw_out_of_range_fmt(const char*, Values...) {
  __trap();
  __builtin_unreachable();
}
#endif
} // namespace std

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const {
  return {x, y, z};
}
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const {
  return dim3(x, y, z);
}
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const {
  return {x, y, z};
}

#define pow gputest_clang_pow
#include <__clang_cuda_cmath.h>
#undef pow
#include <__clang_cuda_complex_builtins.h>

#include <new> // Clang's header, whose operators need malloc

#include "gputest_cuda/atomics.h"
#include "gputest_cuda/device_launches.h"
#include "gputest_cuda/dpx.h"
#include "gputest_cuda/functions.h"
#include "gputest_cuda/host_calls.h"
#include "gputest_cuda/pow.h"
#include "gputest_cuda/textures.h"
#include "gputest_cuda/surfaces.h"
#include "gputest_cuda/sized_arrays.h"
#include "gputest_cuda/unconstructed.h"
#include "gputest_cuda/warps.h"

#endif
