// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in functions that libclc lacks: the atomic ones of cl_khr_int64_base_atomics and
// cl_khr_int64_extended_atomics, mad_hi, ctz and cl_khr_kernel_clock. Compiled when a kernel calls one of them, and linked with it.

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))

#define UPDATE(space, type, name, operation)                                                                           \
  FUNCTION type atom_##name(volatile space type *at, type value) {                                                     \
    return __atomic_##operation(at, value, __ATOMIC_RELAXED);                                                          \
  }

#define FUNCTIONS(space, type)                                                                                         \
  UPDATE(space, type, add, fetch_add)                                                                                  \
  UPDATE(space, type, sub, fetch_sub)                                                                                  \
  UPDATE(space, type, xchg, exchange_n)                                                                                \
  UPDATE(space, type, min, fetch_min)                                                                                  \
  UPDATE(space, type, max, fetch_max)                                                                                  \
  UPDATE(space, type, and, fetch_and)                                                                                  \
  UPDATE(space, type, or, fetch_or)                                                                                    \
  UPDATE(space, type, xor, fetch_xor)                                                                                  \
  FUNCTION type atom_inc(volatile space type *at) { return __atomic_fetch_add(at, (type)1, __ATOMIC_RELAXED); }        \
  FUNCTION type atom_dec(volatile space type *at) { return __atomic_fetch_sub(at, (type)1, __ATOMIC_RELAXED); }        \
  FUNCTION type atom_cmpxchg(volatile space type *at, type expected, type value) {                                     \
    __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                          \
    return expected;                                                                                                   \
  }

FUNCTIONS(global, long)
FUNCTIONS(global, ulong)
FUNCTIONS(local, long)
FUNCTIONS(local, ulong)

#define MAD_HI(type)                                                                                                   \
  FUNCTION type mad_hi(type a, type b, type c) { return mul_hi(a, b) + c; }                                            \
  FUNCTION type ctz(type x) { return popcount((type)((x & -x) - (type)1)); } /* of 0: the width */

#define MAD_HIS(type)                                                                                                  \
  MAD_HI(type)                                                                                                         \
  MAD_HI(type##2)                                                                                                      \
  MAD_HI(type##3)                                                                                                      \
  MAD_HI(type##4)                                                                                                      \
  MAD_HI(type##8)                                                                                                      \
  MAD_HI(type##16)

MAD_HIS(char)
MAD_HIS(uchar)
MAD_HIS(short)
MAD_HIS(ushort)
MAD_HIS(int)
MAD_HIS(uint)
MAD_HIS(long)
MAD_HIS(ulong)

ulong gputest_clock(void);
#define CLOCK(scope)                                                                                                   \
  FUNCTION ulong clock_read_##scope(void) { return gputest_clock(); }                                                  \
  FUNCTION uint2 clock_read_hilo_##scope(void) {                                                                       \
    const ulong time = gputest_clock();                                                                                \
    return (uint2)((uint)time, (uint)(time >> 32));                                                                    \
  }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
