// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Computes the ids that follow from those of the group and of the work-item in it. The text before this defines
 * gputest_get_group_id, gputest_get_local_id and gputest_get_global_offset, _global_size, _num_groups,
 * _enqueued_local_size of a context and a dimension; and GPUTEST_NATIVE(context): whether ids are the device's own.
 * With GPUTEST_REDIRECT, OpenCL's names in the author's text mean these functions. */
#ifndef GPUTEST_PURE
GPUTEST_STATIC size_t gputest_get_global_id(const gputest_context* gputest, uint dimension) {
  return GPUTEST_NATIVE(gputest) ? get_global_id(dimension)
         : dimension < 3         ? gputest_get_global_offset(gputest, dimension) +
                           gputest_get_group_id(gputest, dimension) *
                               gputest_get_enqueued_local_size(gputest, dimension) +
                           gputest_get_local_id(gputest, dimension)
                                 : 0;
}

GPUTEST_STATIC size_t gputest_get_global_linear_id(const gputest_context* gputest) {
  const size_t x = gputest_get_global_id(gputest, 0) - gputest_get_global_offset(gputest, 0);
  const size_t y = gputest_get_global_id(gputest, 1) - gputest_get_global_offset(gputest, 1);
  const size_t z = gputest_get_global_id(gputest, 2) - gputest_get_global_offset(gputest, 2);
  return (z * gputest_get_global_size(gputest, 1) + y) * gputest_get_global_size(gputest, 0) + x;
}

GPUTEST_STATIC size_t gputest_get_local_linear_id(const gputest_context* gputest) {
  const size_t x = gputest_get_local_id(gputest, 0), y = gputest_get_local_id(gputest, 1);
  return (gputest_get_local_id(gputest, 2) * get_local_size(1) + y) * get_local_size(0) + x;
}

#ifdef GPUTEST_REDIRECT
#define get_group_id(dimension) gputest_get_group_id(gputest, dimension)
#define get_local_id(dimension) gputest_get_local_id(gputest, dimension)
#define get_global_id(dimension) gputest_get_global_id(gputest, dimension)
#define get_global_linear_id() gputest_get_global_linear_id(gputest)
#define get_local_linear_id() gputest_get_local_linear_id(gputest)
#endif
#endif
