// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tells which group and work-item the section `schedule` (templates/state.h) puts at a place of the device. */

/* The place of this work-item's group. GPUTEST_FLAT: only a part of the groups was launched, side by side along x,
 * and the launch's offset is its first place. */
GPUTEST_STATIC size_t gputest_place(void) {
#ifdef GPUTEST_FLAT
  return get_group_id(0) + get_global_offset(0);
#else
  return (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
#endif
}

GPUTEST_STATIC size_t gputest_scheduled_group(__global const uint* schedule, size_t place, uint dimension) {
  return dimension < 3 ? schedule[GPUTEST_SCHEDULE_GROUPS + 3 * place + dimension] : 0;
}

/* Groups that are not full keep their order. */
GPUTEST_STATIC size_t gputest_scheduled_item(__global const uint* schedule, uint dimension) {
  const size_t x = get_local_size(0), y = get_local_size(1), z = get_local_size(2);
  const uint items = schedule[GPUTEST_SCHEDULE_ITEMS];
  if (!items || dimension > 2 || x != schedule[GPUTEST_SCHEDULE_LOCAL_SIZE] ||
      y != schedule[GPUTEST_SCHEDULE_LOCAL_SIZE + 1] || z != schedule[GPUTEST_SCHEDULE_LOCAL_SIZE + 2])
    return get_local_id(dimension);
  const size_t place = (get_local_id(2) * y + get_local_id(1)) * x + get_local_id(0);
  return schedule[items + 3 * place + dimension];
}
