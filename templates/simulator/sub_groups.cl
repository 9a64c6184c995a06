// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cl_khr_subgroups, which all work-items of a sub-group call together, on the types of
// cl_khr_subgroup_extended_types as well. Compiled when a kernel calls one of them, and linked with it.

OWN uint gputest_enqueued(void) {
  return gputest_items_of(get_enqueued_local_size(0), get_enqueued_local_size(1), get_enqueued_local_size(2));
}

FUNCTION uint get_sub_group_size(void) { return gputest_size(); }
FUNCTION uint get_max_sub_group_size(void) { return gputest_enqueued() < LANES ? gputest_enqueued() : LANES; }
FUNCTION uint get_num_sub_groups(void) { return (gputest_items() + LANES - 1) / LANES; }
FUNCTION uint get_enqueued_num_sub_groups(void) { return (gputest_enqueued() + LANES - 1) / LANES; }
FUNCTION uint get_sub_group_id(void) { return gputest_item() / LANES; }
FUNCTION uint get_sub_group_local_id(void) { return gputest_lane(); }
FUNCTION void sub_group_barrier(cl_mem_fence_flags flags) { gputest_warp(WAIT, ALL_LANES, 0, BARRIER); }
FUNCTION void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  gputest_warp(WAIT, ALL_LANES, 0, BARRIER);
}

#define UNIFORM(type, least, most)                                                                                     \
  FUNCTION type sub_group_broadcast(type x, uint lane) { TAKE_OF_ALL(type, lane) }                                     \
  OF_VECTORS(type, sub_group_broadcast)                                                                                \
  FOLDS_OF_ALL(sub_group_, type, add, 0, result + y)                                                                   \
  FOLDS_OF_ALL(sub_group_, type, min, most, y < result ? y : result)                                                   \
  FOLDS_OF_ALL(sub_group_, type, max, least, y > result ? y : result)
ALL_TYPES(UNIFORM)

FUNCTION int sub_group_all(int x) { FOLD_ALL(int, 0, gputest_size(), 1, result && y) }
FUNCTION int sub_group_any(int x) { FOLD_ALL(int, 0, gputest_size(), 0, result || y) }
