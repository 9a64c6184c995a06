// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-group functions of OpenCL C 2.0 and later, which libclc lacks. Compiled when a kernel calls one of
// them, and linked with it. A work-item writes its value to its place and waits for the others at a barrier, as
// if the author had written it. No fence belongs to it: work-group functions order no other accesses.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))

// The place of a work-item, by its linear local id (ir/kernels/work_items.cpp).
private void *gputest_place_of(ulong item);

static __attribute__((always_inline)) size_t gputest_items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

// What all work-items of the group have, from the first on: the operation on those before `end`.
#define GATHER(type, first, operation)                                                                                 \
  *(private type *)gputest_place_of(get_local_linear_id()) = x;                                                        \
  barrier(0);                                                                                                          \
  type result = first;                                                                                                 \
  for (size_t i = 0; i < end; ++i) {                                                                                   \
    const type y = *(private type *)gputest_place_of(i);                                                               \
    result = operation;                                                                                                \
  }                                                                                                                    \
  barrier(0); /* the next function writes the places again */                                                          \
  return result;

#define REDUCE(type, name, first, operation)                                                                           \
  FUNCTION type work_group_reduce_##name(type x) {                                                                     \
    const size_t end = gputest_items();                                                                                \
    GATHER(type, first, operation)                                                                                     \
  }                                                                                                                    \
  FUNCTION type work_group_scan_inclusive_##name(type x) {                                                             \
    const size_t end = get_local_linear_id() + 1;                                                                      \
    GATHER(type, first, operation)                                                                                     \
  }                                                                                                                    \
  FUNCTION type work_group_scan_exclusive_##name(type x) {                                                             \
    const size_t end = get_local_linear_id();                                                                          \
    GATHER(type, first, operation)                                                                                     \
  }

#define ALL(type, least, most)                                                                                         \
  FUNCTION type work_group_broadcast(type x, size_t a, size_t b, size_t c) {                                           \
    *(private type *)gputest_place_of(get_local_linear_id()) = x;                                                      \
    barrier(0);                                                                                                        \
    const type result = *(private type *)gputest_place_of((c * get_local_size(1) + b) * get_local_size(0) + a);        \
    barrier(0);                                                                                                        \
    return result;                                                                                                     \
  }                                                                                                                    \
  FUNCTION type work_group_broadcast(type x, size_t a, size_t b) { return work_group_broadcast(x, a, b, 0); }          \
  FUNCTION type work_group_broadcast(type x, size_t a) { return work_group_broadcast(x, a, 0, 0); }                    \
  REDUCE(type, add, 0, result + y)                                                                                     \
  REDUCE(type, min, most, y < result ? y : result)                                                                     \
  REDUCE(type, max, least, y > result ? y : result)

ALL(int, INT_MIN, INT_MAX)
ALL(uint, 0, UINT_MAX)
ALL(long, LONG_MIN, LONG_MAX)
ALL(ulong, 0, ULONG_MAX)
ALL(half, -(half)INFINITY, (half)INFINITY)
ALL(float, -INFINITY, INFINITY)
ALL(double, -(double)INFINITY, (double)INFINITY)

FUNCTION int work_group_all(int x) {
  const size_t end = gputest_items();
  GATHER(int, 1, result && y)
}
FUNCTION int work_group_any(int x) {
  const size_t end = gputest_items();
  GATHER(int, 0, result || y)
}
