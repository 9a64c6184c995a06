// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What coverage.cuh, mutants.cuh and differences.cuh need in C++ for OpenCL. The state (state.h) is a buffer, which
 * each kernel gets as its last argument and puts into this variable. */
static __global uint* gputest_buffer;

#define GPUTEST_STATE gputest_buffer
#define GPUTEST_STATE_IS_BUFFER
#define GPUTEST_FIRST GPUTEST_STATE_HEADER_WORDS
#define GPUTEST_ACTIVE (GPUTEST_STATE[GPUTEST_STATE_TRACE] ? 0xffffffffu : GPUTEST_STATE[GPUTEST_STATE_ACTIVE])
#define GPUTEST_BUDGET GPUTEST_STATE[GPUTEST_STATE_BUDGET]
#define GPUTEST_ITERATIONS GPUTEST_STATE_ITERATIONS
#define GPUTEST_EVENTS GPUTEST_STATE_EVENTS
#define GPUTEST_TOLD 0ul

#define __CUDA_ARCH__ 1
#define __host__
#define __device__
#define __constant__ __constant
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __trap() __builtin_trap()
#define __threadfence_system()
#define __float_as_uint(value) as_uint(value)
#define __double_as_longlong(value) as_long(value)
#define atomicOr(word, bits) atomic_or(word, bits)
#define atomicMax(word, value) atomic_max(word, value)
