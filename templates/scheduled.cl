// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Runs a kernel under a schedule: it reads its ids from the state buffer, once at the beginning.
 *
 * The host defines:
 *   GPUTEST_ORDERED_ITEMS  work-items have an order of their own, too
 *   GPUTEST_FLAT           only a part of the groups is launched, see templates/schedule.cl
 * Loops that may wait for another work-item count against a budget. Once one of them has used it up, others
 * that have waited long stop as well, because their wait would not end either.
 */
typedef struct {
  __global uint* state;
  size_t group_x, group_y, group_z;
#ifdef GPUTEST_ORDERED_ITEMS
  size_t item_x, item_y, item_z;
#endif
  uint mask;             /* 0: the iterations are recorded */
  uint budget, together; /* iterations left: of loops, and of those around barriers */
} gputest_context;

#define GPUTEST_NATIVE(gputest) 0
#define GPUTEST_SECTION(state) ((__global const uint*)(state) + GPUTEST_STATE_HEADER_WORDS)

GPUTEST_STATIC size_t gputest_get_group_id(const gputest_context* gputest, uint dimension) {
  return dimension == 0 ? gputest->group_x : dimension == 1 ? gputest->group_y : dimension == 2 ? gputest->group_z : 0;
}

GPUTEST_STATIC size_t gputest_get_local_id(const gputest_context* gputest, uint dimension) {
#ifdef GPUTEST_ORDERED_ITEMS
  return dimension == 0 ? gputest->item_x : dimension == 1 ? gputest->item_y : dimension == 2 ? gputest->item_z : 0;
#else
  return get_local_id(dimension);
#endif
}

#ifdef GPUTEST_FLAT
/* `otherwise`: the value for dimensions from 3 on. */
GPUTEST_STATIC size_t gputest_wide(__global uint* state, uint first, uint dimension, size_t otherwise) {
  __global const uint* words = GPUTEST_SECTION(state) + first + 2 * dimension;
  return dimension < 3 ? words[0] | (ulong)words[1] << 32 : otherwise;
}
GPUTEST_STATIC size_t gputest_get_global_size(const gputest_context* gputest, uint dimension) {
  return gputest_wide(gputest->state, GPUTEST_SCHEDULE_GLOBAL_SIZE, dimension, 1);
}
GPUTEST_STATIC size_t gputest_get_global_offset(const gputest_context* gputest, uint dimension) {
  return gputest_wide(gputest->state, GPUTEST_SCHEDULE_GLOBAL_OFFSET, dimension, 0);
}
GPUTEST_STATIC size_t gputest_get_num_groups(const gputest_context* gputest, uint dimension) {
  return dimension < 3 ? GPUTEST_SECTION(gputest->state)[GPUTEST_SCHEDULE_GROUP_COUNTS + dimension] : 1;
}
GPUTEST_STATIC size_t gputest_get_enqueued_local_size(const gputest_context* gputest, uint dimension) {
  return dimension < 3 ? GPUTEST_SECTION(gputest->state)[GPUTEST_SCHEDULE_LOCAL_SIZE + dimension] : 1;
}
#else
#define gputest_get_global_size(gputest, dimension) get_global_size(dimension)
#define gputest_get_global_offset(gputest, dimension) get_global_offset(dimension)
#define gputest_get_num_groups(gputest, dimension) get_num_groups(dimension)
#if __OPENCL_C_VERSION__ >= 200
#define gputest_get_enqueued_local_size(gputest, dimension) get_enqueued_local_size(dimension)
#else
#define gputest_get_enqueued_local_size(gputest, dimension) get_local_size(dimension)
#endif
#endif

GPUTEST_STATIC int gputest_waits(gputest_context* gputest, uint loop) {
  if (gputest->budget % 65536 == 0 &&
      ((volatile __global uint*)gputest->state)[GPUTEST_STATE_EVENTS] & GPUTEST_EVENT_BUDGET)
    gputest->budget = 0;
  return gputest_counted(gputest->state, gputest->mask, &gputest->budget, loop);
}
#define GPUTEST_WAITS(loop) gputest_waits(gputest, loop)
#define GPUTEST_WAIT_TOGETHER(loop) \
  gputest_counted(gputest->state, gputest->mask, &gputest->together, loop)

GPUTEST_STATIC gputest_context gputest_begin(__global uint* state) {
  __global const uint* schedule = GPUTEST_SECTION(state);
  const size_t place = gputest_place();
  gputest_context context;
  context.state = state;
  context.group_x = gputest_scheduled_group(schedule, place, 0);
  context.group_y = gputest_scheduled_group(schedule, place, 1);
  context.group_z = gputest_scheduled_group(schedule, place, 2);
#ifdef GPUTEST_ORDERED_ITEMS
  context.item_x = gputest_scheduled_item(schedule, 0);
  context.item_y = gputest_scheduled_item(schedule, 1);
  context.item_z = gputest_scheduled_item(schedule, 2);
#endif
  context.mask = state[GPUTEST_STATE_TRACE] ? 0 : 0xffffffffu;
  context.budget = context.together = state[GPUTEST_STATE_BUDGET];
  return context;
}

/* A block may run when the kernel has ended, in a launch of its own: with the device's ids. */
GPUTEST_STATIC gputest_context gputest_begin_block(__global uint* state) {
  gputest_context context;
  context.state = state;
  context.group_x = get_group_id(0);
  context.group_y = get_group_id(1);
  context.group_z = get_group_id(2);
#ifdef GPUTEST_ORDERED_ITEMS
  context.item_x = get_local_id(0);
  context.item_y = get_local_id(1);
  context.item_z = get_local_id(2);
#endif
  context.mask = state[GPUTEST_STATE_TRACE] ? 0 : 0xffffffffu;
  context.budget = context.together = state[GPUTEST_STATE_BUDGET];
  return context;
}
#define GPUTEST_ENTER_BLOCK(buffer)                              \
  gputest_context gputest_context_ = gputest_begin_block(buffer); \
  gputest_context* gputest = &gputest_context_;

#define GPUTEST_ENTER                                              \
  gputest_context gputest_context_ = gputest_begin(gputest_state); \
  gputest_context* gputest = &gputest_context_;
