// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the work-items of a work-group together, one segment after the other
// (simulator/execute/segments.h). Takes the place of groups.c and, with GPUTEST_WARPS, of warps.c.
//
// GPUTEST_ARGUMENTS: the parts of 128 bytes in the block of arguments. GPUTEST_SEGMENTS(DO): DO(0) DO(1)
// ... for each segment. GPUTEST_BARRIERS: there is more than one.
// GPUTEST_JUNCTIONS(DO): the same for segments that a work-item enters at once, from GPUTEST_FIRST_JUNCTION on;
// not defined: there are none.
// GPUTEST_INDEPENDENT: the order of work-items within a segment does not matter.

// A part of the block of arguments, all of which may be read at any time.
struct __attribute__((aligned(128))) gputest_arguments {
  gputest_u8 bytes[128];
};

gputest_u64 gputest_segment(struct gputest_context *context, const void *arguments, gputest_u64 x, gputest_u64 y,
                            gputest_u64 z, gputest_u64 item, gputest_u8 *frames, gputest_u64 stride,
                            gputest_u32 segment);
void gputest_fill_local(gputest_u8 byte);
int gputest_turn(struct gputest_context *context);
void gputest_warp_stuck(struct gputest_context *context, gputest_u64 first, gputest_u64 lanes);

#ifdef GPUTEST_INDEPENDENT
#define TOGETHER _Pragma("clang loop vectorize(assume_safety)")
#else
#define TOGETHER
#endif
// A bound of ids, from which the compiler sees that their products do not overflow.
#define EXTENT 0xffffffful

// The next segment of each work-item; 0: it has ended.
#define WHERE ((gputest_u32 *)frames)

#ifdef GPUTEST_JUNCTIONS
#define ITEM                                                                                                           \
  struct gputest_context *context, const void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z,                 \
      gputest_u64 item, gputest_u8 *frames, gputest_u64 stride
#define GO_ON_AT(segment)                                                                                              \
  static __attribute__((noinline)) gputest_u64 go_on_at_##segment(ITEM) {                                              \
    [[clang::always_inline]] return gputest_segment(context, arguments, x, y, z, item, frames, stride, segment);       \
  }
GPUTEST_JUNCTIONS(GO_ON_AT)

// Runs junctions until the work-item stops or ends.
static __attribute__((noinline)) gputest_u64 cross(ITEM, gputest_u64 next) {
  for (;;)
    switch (next >> 32) {
#define JUNCTION(number)                                                                                               \
  case number:                                                                                                         \
    next = go_on_at_##number(context, arguments, x, y, z, item, frames, stride);                                       \
    break;
      GPUTEST_JUNCTIONS(JUNCTION)
    default:
      return next;
    }
}
#define CROSS(x, item)                                                                                                 \
  if (next >> 32 >= GPUTEST_FIRST_JUNCTION)                                                                            \
    next = cross(context, arguments, x, y, z, item, frames, stride, next);
#else
#define CROSS(x, item)
#endif

// Runs work-items from `first` up to `end` through a segment. Returns the bits that any of their next segments
// has, in the upper half, and those that all have, in the lower.
#define GO_ON_FROM(segment)                                                                                            \
  static __attribute__((noinline)) gputest_u64 go_on_from_##segment(                                                   \
      struct gputest_context context[static 1],                                                                        \
      const struct gputest_arguments arguments[restrict static GPUTEST_ARGUMENTS], gputest_u64 first,                  \
      gputest_u64 end) {                                                                                               \
    gputest_u8 *const frames = context->frames;                                                                        \
    gputest_u32 *const statuses = context->statuses;                                                                   \
    const gputest_u64 width = context->local_size[0], height = context->local_size[1];                                 \
    const gputest_u64 stride = (width * height * context->local_size[2] + 63) / 64 * 64;                               \
    gputest_u32 any = 0, all = ~0u;                                                                                    \
    for (gputest_u64 index = first; index < end;) {                                                                    \
      const gputest_u64 x = index % width & EXTENT, y = index / width % height & EXTENT;                               \
      const gputest_u64 z = index / (width * height) & EXTENT;                                                         \
      const gputest_u64 left = end - index, row = width - x, count = (row < left ? row : left) & EXTENT;               \
      TOGETHER                                                                                                         \
      for (gputest_u64 i = 0; i < count; ++i) {                                                                        \
        gputest_u64 next;                                                                                              \
        [[clang::always_inline]] next =                                                                                \
            gputest_segment(context, arguments, x + i, y, z, index + i, frames, stride, segment);                      \
        CROSS(x + i, index + i)                                                                                        \
        NOTE(index + i)                                                                                                \
      }                                                                                                                \
      index += count;                                                                                                  \
    }                                                                                                                  \
    return (gputest_u64)any << 32 | all;                                                                               \
  }

#ifdef GPUTEST_BARRIERS
#define NOTE(index)                                                                                                    \
  statuses[index] = (gputest_u32)next;                                                                                 \
  WHERE[index] = (gputest_u32)(next >> 32);                                                                            \
  any |= (gputest_u32)(next >> 32);                                                                                    \
  all &= (gputest_u32)(next >> 32);
#else
#define NOTE(index)
#endif

GPUTEST_SEGMENTS(GO_ON_FROM)

static gputest_u64 go_on(struct gputest_context *context, const void *arguments, gputest_u32 segment, gputest_u64 first,
                         gputest_u64 end) {
  switch (segment) {
#define CASE(number)                                                                                                   \
  case number:                                                                                                         \
    return go_on_from_##number(context, arguments, first, end);
    GPUTEST_SEGMENTS(CASE)
  default:
    return 0;
  }
}

#ifdef GPUTEST_BARRIERS
// The same for work-items at different segments: neighbours at the same one run together.
static __attribute__((noinline)) gputest_u64 go_on_apart(struct gputest_context *context, const void *arguments,
                                                         gputest_u64 first, gputest_u64 end) {
  gputest_u8 *const frames = context->frames;
  gputest_u32 any = 0, all = ~0u;
  while (first < end) {
    const gputest_u32 segment = WHERE[first];
    gputest_u64 last = first + 1;
    while (last < end && WHERE[last] == segment)
      ++last;
    gputest_u64 met = 0;
    if (segment)
      met = go_on(context, arguments, segment, first, last);
    any |= (gputest_u32)(met >> 32);
    all &= (gputest_u32)met;
    first = last;
  }
  return (gputest_u64)any << 32 | all;
}

static int is_together(gputest_u64 met) {
  return (gputest_u32)(met >> 32) == (gputest_u32)met;
}
#endif

#ifdef GPUTEST_WARPS
// Runs a warp until none of its threads waits for others of it. `met`: as go_on() returns it.
static gputest_u64 run_warp(struct gputest_context *context, const void *arguments, gputest_u64 first, gputest_u64 end,
                            gputest_u64 met) {
  gputest_u8 *const frames = context->frames;
  gputest_u32 *const statuses = context->statuses;
  struct gputest_slots *const slots = context->slots;
  const unsigned count = (unsigned)(end - first);
  const lane_set whole = ALL_LANES >> (LANES - count);
  for (;;) {
    lane_set here = 0, waits = 0;
    if (is_together(met)) {
      const gputest_u32 status = statuses[first];
      if (!(status & GPUTEST_WAITS_FOR_WARP))
        return met;
      here = waits = whole;
      if (slots->kind[first] == GPUTEST_WARP_STEP) {
        met = go_on(context, arguments, (gputest_u32)met, first, end);
        continue;
      }
    } else {
      for (unsigned i = 0; i < count; ++i) {
        const gputest_u32 status = statuses[first + i];
        here |= (lane_set)(status != 0) << i;
        waits |= (lane_set)((status & GPUTEST_WAITS_FOR_WARP) != 0) << i;
      }
      if (!waits)
        return met;
    }
    lane_set lanes = lanes_to_release(slots, first, here, waits);
    if (!lanes) { // a shuffle that not all threads of its mask reach
      gputest_warp_stuck(context, first, waits);
      lanes = waits;
    } else {
      look_at_mask(context, first, lanes);
    }
    answer(slots, first, lanes);
    if (lanes == whole) {
      met = is_together(met) ? go_on(context, arguments, (gputest_u32)met, first, end)
                             : go_on_apart(context, arguments, first, end);
      continue;
    }
    for (unsigned i = 0; i < count;) { // neighbours at the same segment run together
      if (!(lanes >> i & 1)) {
        ++i;
        continue;
      }
      const gputest_u32 segment = WHERE[first + i];
      unsigned last = i + 1;
      while (last < count && lanes >> last & 1 && WHERE[first + last] == segment)
        ++last;
      go_on(context, arguments, segment, first + i, first + last);
      i = last;
    }
    gputest_u32 any = 0, all = ~0u;
    for (unsigned i = 0; i < count; ++i) {
      any |= WHERE[first + i];
      all &= WHERE[first + i];
    }
    met = (gputest_u64)any << 32 | all;
  }
}
#endif

void gputest_group(struct gputest_context *context, void *arguments) {
  const gputest_u64 items = context->local_size[0] * context->local_size[1] * context->local_size[2];
  gputest_fill_local((gputest_u8)context->local_fill);
#ifndef GPUTEST_BARRIERS
  go_on(context, arguments, 0, 0, items);
#else
  gputest_u32 segment = 0;
  int together = 1;
  for (;;) {
    gputest_u64 met = 0;
#ifdef GPUTEST_WARPS
    gputest_u32 any = 0, all = ~0u;
    for (gputest_u64 first = 0; first < items; first += LANES) {
      const gputest_u64 end = items - first < LANES ? items : first + LANES;
      met = together ? go_on(context, arguments, segment, first, end) : go_on_apart(context, arguments, first, end);
      met = run_warp(context, arguments, first, end, met);
      any |= (gputest_u32)(met >> 32);
      all &= (gputest_u32)met;
    }
    met = (gputest_u64)any << 32 | all;
#else
    met = together ? go_on(context, arguments, segment, 0, items) : go_on_apart(context, arguments, 0, items);
#endif
    if (!(met >> 32))
      return;
    together = is_together(met);
    segment = (gputest_u32)met;
    const gputest_u32 *const statuses = context->statuses;
    if (!together) {
      gputest_u32 differs = 0;
      for (gputest_u64 i = 0; i < items; ++i)
        differs |= statuses[i] ^ statuses[0];
      if (differs && !gputest_turn(context))
        return;
    }
#ifdef GPUTEST_WARPS
    struct gputest_slots *const slots = context->slots;
    gputest_u64 here = 0, says = 0;
    if (slots->kind[0] == GPUTEST_BLOCK_VOTE || !together) {
      for (gputest_u64 i = 0; i < items; ++i) {
        here += statuses[i] != 0;
        says += statuses[i] && slots->kind[i] == GPUTEST_BLOCK_VOTE && slots->value[i];
      }
      for (gputest_u64 i = 0; i < items; ++i)
        slots->result[i] = here << 32 | says;
    }
#endif
  }
#endif
}
