// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C11 atomics of OpenCL C 2.0 and later, which libclc lacks, with those of cl_ext_float_atomics on half, float
// and double. Compiled when a kernel calls one of them, and linked with it. A constant order is that of the operation.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#ifdef GPUTEST_OF_BLOCK
// The same functions for operations whose scope is at most a work-group (ir/builtins.cpp).
#define atomic_store_explicit gputest_of_block_atomic_store_explicit
#define atomic_exchange_explicit gputest_of_block_atomic_exchange_explicit
#define atomic_load_explicit gputest_of_block_atomic_load_explicit
#define atomic_compare_exchange_strong_explicit gputest_of_block_atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_weak_explicit gputest_of_block_atomic_compare_exchange_weak_explicit
#define atomic_fetch_add_explicit gputest_of_block_atomic_fetch_add_explicit
#define atomic_fetch_sub_explicit gputest_of_block_atomic_fetch_sub_explicit
#define atomic_fetch_or_explicit gputest_of_block_atomic_fetch_or_explicit
#define atomic_fetch_xor_explicit gputest_of_block_atomic_fetch_xor_explicit
#define atomic_fetch_and_explicit gputest_of_block_atomic_fetch_and_explicit
#define atomic_fetch_min_explicit gputest_of_block_atomic_fetch_min_explicit
#define atomic_fetch_max_explicit gputest_of_block_atomic_fetch_max_explicit
#define atomic_flag_test_and_set_explicit gputest_of_block_atomic_flag_test_and_set_explicit
#define atomic_flag_clear_explicit gputest_of_block_atomic_flag_clear_explicit
#endif

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))

#ifdef __opencl_c_generic_address_space
#define SPACES(DO, ...) DO(__generic, __VA_ARGS__)
/* Clang declares cl_ext_float_atomics for each address space by itself, too. */
#define EVERY_SPACE(DO, ...) DO(__generic, __VA_ARGS__) DO(global, __VA_ARGS__) DO(local, __VA_ARGS__)
#define EXPECTED_SPACES(DO, ...) DO(__generic, __VA_ARGS__)
#else
#define SPACES(DO, ...) DO(global, __VA_ARGS__) DO(local, __VA_ARGS__)
#define EVERY_SPACE(DO, ...) SPACES(DO, __VA_ARGS__)
#define EXPECTED_SPACES(DO, ...) DO(global, __VA_ARGS__) DO(local, __VA_ARGS__) DO(private, __VA_ARGS__)
#endif

#define DEVICE memory_scope_device
#define IN_ORDER memory_order_seq_cst

// `change`: an operation of `at`, `value` and `order`.
#define UPDATE(space, name, atomic, type, result, change)                                                              \
  FUNCTION result name##_explicit(volatile space atomic *at, type value, memory_order order, memory_scope scope) {     \
    return change;                                                                                                     \
  }                                                                                                                    \
  FUNCTION result name##_explicit(volatile space atomic *at, type value, memory_order order) {                         \
    return name##_explicit(at, value, order, DEVICE);                                                                  \
  }                                                                                                                    \
  FUNCTION result name(volatile space atomic *at, type value) { return name##_explicit(at, value, IN_ORDER, DEVICE); }

#define FETCH(space, name, atomic, type)                                                                               \
  UPDATE(space, atomic_fetch_##name, atomic, type, type, __opencl_atomic_fetch_##name(at, value, order, DEVICE))

#define EXCHANGE(space, expected_space, name, atomic, type)                                                            \
  FUNCTION bool name##_explicit(volatile space atomic *at, expected_space type *expected, type value,                  \
                                memory_order success, memory_order failure, memory_scope scope) {                      \
    type found = *expected;                                                                                            \
    const bool same = __opencl_atomic_compare_exchange_strong(at, &found, value, success, memory_order_relaxed,        \
                                                              DEVICE);                                                 \
    if (!same)                                                                                                         \
      *expected = found;                                                                                               \
    return same;                                                                                                       \
  }                                                                                                                    \
  FUNCTION bool name##_explicit(volatile space atomic *at, expected_space type *expected, type value,                  \
                                memory_order success, memory_order failure) {                                          \
    return name##_explicit(at, expected, value, success, failure, DEVICE);                                             \
  }                                                                                                                    \
  FUNCTION bool name(volatile space atomic *at, expected_space type *expected, type value) {                           \
    return name##_explicit(at, expected, value, IN_ORDER, IN_ORDER, DEVICE);                                           \
  }
#define EXCHANGES(expected_space, space, atomic, type)                                                                 \
  EXCHANGE(space, expected_space, atomic_compare_exchange_strong, atomic, type)                                        \
  EXCHANGE(space, expected_space, atomic_compare_exchange_weak, atomic, type)

#define ALL_BUT_STORE(space, atomic, type)                                                                             \
  UPDATE(space, atomic_exchange, atomic, type, type, __opencl_atomic_exchange(at, value, order, DEVICE))               \
  FUNCTION void atomic_init(volatile space atomic *at, type value) { *(volatile space type *)at = value; }             \
  FUNCTION type atomic_load_explicit(volatile space atomic *at, memory_order order, memory_scope scope) {              \
    return __opencl_atomic_load(at, order, DEVICE);                                                                    \
  }                                                                                                                    \
  FUNCTION type atomic_load_explicit(volatile space atomic *at, memory_order order) {                                  \
    return atomic_load_explicit(at, order, DEVICE);                                                                    \
  }                                                                                                                    \
  FUNCTION type atomic_load(volatile space atomic *at) { return atomic_load_explicit(at, IN_ORDER, DEVICE); }          \
  EXPECTED_SPACES(EXCHANGES, space, atomic, type)

#define FOR_ALL(space, atomic, type)                                                                                   \
  UPDATE(space, atomic_store, atomic, type, void, __opencl_atomic_store(at, value, order, DEVICE))                     \
  ALL_BUT_STORE(space, atomic, type)

#define FOR_INTEGERS(space, atomic, type)                                                                              \
  FETCH(space, add, atomic, type)                                                                                      \
  FETCH(space, sub, atomic, type)                                                                                      \
  FETCH(space, or, atomic, type)                                                                                       \
  FETCH(space, xor, atomic, type)                                                                                      \
  FETCH(space, and, atomic, type)                                                                                      \
  FETCH(space, min, atomic, type)                                                                                      \
  FETCH(space, max, atomic, type)

#define FOR_FLOATS(space, atomic, type)                                                                                \
  FETCH(space, add, atomic, type)                                                                                      \
  FETCH(space, sub, atomic, type)                                                                                      \
  FETCH(space, min, atomic, type)                                                                                      \
  FETCH(space, max, atomic, type)

SPACES(FOR_ALL, atomic_int, int)
SPACES(FOR_ALL, atomic_uint, uint)
SPACES(FOR_ALL, atomic_long, long)
SPACES(FOR_ALL, atomic_ulong, ulong)
EVERY_SPACE(ALL_BUT_STORE, atomic_half, half)
/* Clang declares the value that is stored as atomic. */
#define STORE_HALF(space, unused)                                                                                      \
  UPDATE(space, atomic_store, atomic_half, atomic_half, void, __opencl_atomic_store(at, (half)value, order, DEVICE))
EVERY_SPACE(STORE_HALF, )
SPACES(FOR_ALL, atomic_float, float)
SPACES(FOR_ALL, atomic_double, double)
SPACES(FOR_INTEGERS, atomic_int, int)
SPACES(FOR_INTEGERS, atomic_uint, uint)
SPACES(FOR_INTEGERS, atomic_long, long)
SPACES(FOR_INTEGERS, atomic_ulong, ulong)
EVERY_SPACE(FOR_FLOATS, atomic_half, half)
EVERY_SPACE(FOR_FLOATS, atomic_float, float)
EVERY_SPACE(FOR_FLOATS, atomic_double, double)

#define FLAGS(space, unused)                                                                                           \
  FUNCTION bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *at, memory_order order,                  \
                                                  memory_scope scope) {                                                \
    return __opencl_atomic_exchange((volatile space atomic_int *)at, 1, order, DEVICE) != 0;                           \
  }                                                                                                                    \
  FUNCTION bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *at, memory_order order) {                \
    return atomic_flag_test_and_set_explicit(at, order, DEVICE);                                                       \
  }                                                                                                                    \
  FUNCTION bool atomic_flag_test_and_set(volatile space atomic_flag *at) {                                             \
    return atomic_flag_test_and_set_explicit(at, IN_ORDER, DEVICE);                                                    \
  }                                                                                                                    \
  FUNCTION void atomic_flag_clear_explicit(volatile space atomic_flag *at, memory_order order, memory_scope scope) {   \
    __opencl_atomic_store((volatile space atomic_int *)at, 0, order, DEVICE);                                          \
  }                                                                                                                    \
  FUNCTION void atomic_flag_clear_explicit(volatile space atomic_flag *at, memory_order order) {                       \
    atomic_flag_clear_explicit(at, order, DEVICE);                                                                     \
  }                                                                                                                    \
  FUNCTION void atomic_flag_clear(volatile space atomic_flag *at) {                                                    \
    atomic_flag_clear_explicit(at, IN_ORDER, DEVICE);                                                                  \
  }
SPACES(FLAGS, )
