// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-groups of cl_khr_subgroups, cl_khr_subgroup_shuffle and cl_khr_subgroup_shuffle_relative. Compiled when a
// kernel calls one of the functions, and linked with it. A sub-group is GPUTEST_WARP_LANES work-items that follow
// each other, as CUDA's warps, and waits as these do (warps.c).

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))
#define OWN static __attribute__((always_inline))
#define LANES 32
#define WAIT 0 // GPUTEST_WARP_SYNC

// The place of a work-item, by its linear local id, and the wait of a sub-group (ir/kernels/work_items.cpp).
private void *gputest_place_of(ulong item);
ulong gputest_warp(uint kind, uint lanes, ulong value, uint parameter);

OWN uint gputest_item(void) {
  return (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
}
OWN uint gputest_items_of(size_t x, size_t y, size_t z) { return (uint)(x * y * z); }
OWN uint gputest_items(void) { return gputest_items_of(get_local_size(0), get_local_size(1), get_local_size(2)); }
OWN uint gputest_enqueued(void) {
  return gputest_items_of(get_enqueued_local_size(0), get_enqueued_local_size(1), get_enqueued_local_size(2));
}
OWN uint gputest_first(void) { return gputest_item() / LANES * LANES; }
OWN uint gputest_size(void) {
  const uint left = gputest_items() - gputest_first();
  return left < LANES ? left : LANES;
}

FUNCTION uint get_sub_group_size(void) { return gputest_size(); }
FUNCTION uint get_max_sub_group_size(void) { return gputest_enqueued() < LANES ? gputest_enqueued() : LANES; }
FUNCTION uint get_num_sub_groups(void) { return (gputest_items() + LANES - 1) / LANES; }
FUNCTION uint get_enqueued_num_sub_groups(void) { return (gputest_enqueued() + LANES - 1) / LANES; }
FUNCTION uint get_sub_group_id(void) { return gputest_item() / LANES; }
FUNCTION uint get_sub_group_local_id(void) { return gputest_item() % LANES; }
FUNCTION void sub_group_barrier(cl_mem_fence_flags flags) { gputest_warp(WAIT, ~0u, 0, 0); }
FUNCTION void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { gputest_warp(WAIT, ~0u, 0, 0); }

#define GATHER(type, begin, finish, first, operation)                                                                  \
  *(private type *)gputest_place_of(gputest_item()) = x;                                                               \
  gputest_warp(WAIT, ~0u, 0, 0);                                                                                       \
  type result = first;                                                                                                 \
  for (uint i = begin, end = finish; i < end; ++i) {                                                                   \
    const type y = *(private type *)gputest_place_of(i);                                                               \
    result = operation;                                                                                                \
  }                                                                                                                    \
  gputest_warp(WAIT, ~0u, 0, 0); /* the next function writes the places again */                                       \
  return result;

#define REDUCE(type, name, first, operation)                                                                           \
  FUNCTION type sub_group_reduce_##name(type x) {                                                                      \
    GATHER(type, gputest_first(), gputest_first() + gputest_size(), first, operation)                                  \
  }                                                                                                                    \
  FUNCTION type sub_group_scan_inclusive_##name(type x) {                                                              \
    GATHER(type, gputest_first(), gputest_item() + 1, first, operation)                                                \
  }                                                                                                                    \
  FUNCTION type sub_group_scan_exclusive_##name(type x) {                                                              \
    GATHER(type, gputest_first(), gputest_item(), first, operation)                                                    \
  }

// The value of a lane that is not there is undefined; here it is the work-item's own.
#define TAKE(type, lane)                                                                                               \
  const uint from = (lane);                                                                                            \
  GATHER(type, from < gputest_size() ? gputest_first() + from : gputest_item(), i + 1, x, y)

#define MOVE(type)                                                                                                     \
  FUNCTION type sub_group_shuffle(type x, uint lane) { TAKE(type, lane) }                                              \
  FUNCTION type sub_group_shuffle_xor(type x, uint mask) { TAKE(type, get_sub_group_local_id() ^ mask) }               \
  FUNCTION type sub_group_shuffle_up(type x, uint by) { TAKE(type, get_sub_group_local_id() - by) }                    \
  FUNCTION type sub_group_shuffle_down(type x, uint by) { TAKE(type, get_sub_group_local_id() + by) }

#define ALL(type, least, most)                                                                                         \
  FUNCTION type sub_group_broadcast(type x, uint lane) { TAKE(type, lane) }                                            \
  MOVE(type)                                                                                                           \
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
MOVE(char)
MOVE(uchar)
MOVE(short)
MOVE(ushort)

FUNCTION int sub_group_all(int x) {
  GATHER(int, gputest_first(), gputest_first() + gputest_size(), 1, result && y)
}
FUNCTION int sub_group_any(int x) {
  GATHER(int, gputest_first(), gputest_first() + gputest_size(), 0, result || y)
}
