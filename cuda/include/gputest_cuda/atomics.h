// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions and fences. The simulator switches threads only at stops, so scopes make no
// difference to results. Checks know which accesses are atomic, in which scope, and what fences
// order.
#ifndef GPUTEST_CUDA_ATOMICS_H
#define GPUTEST_CUDA_ATOMICS_H

// The atomic operation that follows is only for threads of the block.
extern "C" __device__ void gputest_block_scope(void) __attribute__((nothrow));
// The atomic operation that follows has this order, a value of std::memory_order.
extern "C" __device__ void gputest_order(int order) __attribute__((nothrow));

#define GPUTEST_ATOMIC(T, name, builtin)                                                           \
  static __device__ __forceinline__ T name(T* at, T value) {                                       \
    return builtin(at, value, __ATOMIC_RELAXED);                                                   \
  }                                                                                                \
  static __device__ __forceinline__ T name##_block(T* at, T value) {                               \
    gputest_block_scope();                                                                         \
    return builtin(at, value, __ATOMIC_RELAXED);                                                   \
  }                                                                                                \
  static __device__ __forceinline__ T name##_system(T* at, T value) {                              \
    return builtin(at, value, __ATOMIC_RELAXED);                                                   \
  }
// Programs define what CUDA has not, such as an atomicAdd() of long long.
#define GPUTEST_ATOMIC_BITS(T)                                                                     \
  GPUTEST_ATOMIC(T, atomicMin, __atomic_fetch_min)                                                 \
  GPUTEST_ATOMIC(T, atomicMax, __atomic_fetch_max)                                                 \
  GPUTEST_ATOMIC(T, atomicAnd, __atomic_fetch_and)                                                 \
  GPUTEST_ATOMIC(T, atomicOr, __atomic_fetch_or)                                                   \
  GPUTEST_ATOMIC(T, atomicXor, __atomic_fetch_xor)
#define GPUTEST_ATOMICS_OF(T)                                                                      \
  GPUTEST_ATOMIC_BITS(T)                                                                           \
  GPUTEST_ATOMIC(T, atomicAdd, __atomic_fetch_add)                                                 \
  GPUTEST_ATOMIC(T, atomicExch, __atomic_exchange_n)                                               \
  GPUTEST_ATOMIC_CAS(T)                                                                            \
  static __device__ __forceinline__ T atomicCAS_block(T* at, T compare, T value) {                 \
    gputest_block_scope();                                                                         \
    __atomic_compare_exchange_n(at, &compare, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);       \
    return compare;                                                                                \
  }                                                                                                \
  static __device__ __forceinline__ T atomicCAS_system(T* at, T compare, T value) {                \
    return atomicCAS(at, compare, value);                                                          \
  }
#define GPUTEST_ATOMIC_CAS(T)                                                                      \
  static __device__ __forceinline__ T atomicCAS(T* at, T compare, T value) {                       \
    __atomic_compare_exchange_n(at, &compare, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);       \
    return compare;                                                                                \
  }
GPUTEST_ATOMICS_OF(int)
GPUTEST_ATOMICS_OF(unsigned)
GPUTEST_ATOMICS_OF(unsigned long long)
GPUTEST_ATOMIC_CAS(unsigned short)
GPUTEST_ATOMIC_BITS(long long)
GPUTEST_ATOMIC(int, atomicSub, __atomic_fetch_sub)
GPUTEST_ATOMIC(unsigned, atomicSub, __atomic_fetch_sub)
#ifdef GPUTEST_HIP
GPUTEST_ATOMIC(unsigned long long, atomicSub, __atomic_fetch_sub)
#endif
GPUTEST_ATOMIC(float, atomicAdd, __atomic_fetch_add)
GPUTEST_ATOMIC(double, atomicAdd, __atomic_fetch_add)
#undef GPUTEST_ATOMIC
#undef GPUTEST_ATOMIC_BITS
#undef GPUTEST_ATOMICS_OF
#undef GPUTEST_ATOMIC_CAS

#define GPUTEST_ATOMIC_EXCHANGE(name, SCOPE)                                                       \
  static __device__ __forceinline__ float name(float* at, float value) {                           \
    SCOPE;                                                                                         \
    return __int_as_float(__atomic_exchange_n((int*)at, __float_as_int(value), __ATOMIC_RELAXED)); \
  }
GPUTEST_ATOMIC_EXCHANGE(atomicExch, )
GPUTEST_ATOMIC_EXCHANGE(atomicExch_block, gputest_block_scope())
GPUTEST_ATOMIC_EXCHANGE(atomicExch_system, )
#undef GPUTEST_ATOMIC_EXCHANGE

// ((old >= value) ? 0 : old + 1) and ((old == 0 || old > value) ? value : old - 1).
#define GPUTEST_ATOMIC_WRAP(name, builtin)                                                         \
  static __device__ __forceinline__ unsigned name(unsigned* at, unsigned value) {                  \
    return builtin(at, value);                                                                     \
  }                                                                                                \
  static __device__ __forceinline__ unsigned name##_block(unsigned* at, unsigned value) {          \
    gputest_block_scope();                                                                         \
    return builtin(at, value);                                                                     \
  }                                                                                                \
  static __device__ __forceinline__ unsigned name##_system(unsigned* at, unsigned value) {         \
    return builtin(at, value);                                                                     \
  }
GPUTEST_ATOMIC_WRAP(atomicInc, __nvvm_atom_inc_gen_ui)
GPUTEST_ATOMIC_WRAP(atomicDec, __nvvm_atom_dec_gen_ui)
#undef GPUTEST_ATOMIC_WRAP

#endif
