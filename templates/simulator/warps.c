// How the threads of a block take turns where some wait for others of their warp (answers.c). Takes the place
// of groups.c. At a barrier of the grid the function returns, and is called again when all blocks are there.

void gputest_begin(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z,
                   void *frame);
void gputest_resume(void *frame);
void gputest_fill_local(gputest_u8 byte);
int gputest_turn(struct gputest_context *context);

// Threads wait for others that do not come.
void gputest_warp_stuck(struct gputest_context *context, gputest_u64 first, gputest_u32 lanes);
// What threads of the block have waited for, at this place, has come.
void gputest_awaited(struct gputest_context *context, gputest_u32 site);
// A launch whose blocks are not all there at once waits for all of them.
void gputest_no_grid(void);
// Those lanes of the warp that begins with thread `first` have met.
void gputest_warp_met(struct gputest_context *context, gputest_u64 first, gputest_u32 lanes);

#ifdef GPUTEST_LABELS
// What is answered as expressions of the inputs (testgen/concolic/warps.h).
void gputest_label_answer(struct gputest_slots *slots, gputest_u64 first, gputest_u32 lanes);
void gputest_label_votes(struct gputest_slots *slots, const gputest_u32 *statuses, gputest_u64 items);
#endif

#ifdef GPUTEST_CHECKS
#define ENTER(index) (context->item = (index))
#else
#define ENTER(index) ((void)0)
#endif

void gputest_group(struct gputest_context *context, void *arguments) {
  const gputest_u64 width = context->local_size[0], height = context->local_size[1], depth = context->local_size[2];
  gputest_u8 *const frames = context->frames;
  gputest_u32 *const statuses = context->statuses;
  struct gputest_slots *const slots = context->slots;
  const gputest_u64 frame_size = GPUTEST_FRAME_SIZE, items = width * height * depth;
  int goes_on = context->grid_stop != 0;
  context->grid_stop = 0;
  if (!goes_on)
    gputest_fill_local((gputest_u8)context->local_fill);
  for (gputest_u64 at = 0; at < items && !goes_on; ++at) {
#ifdef GPUTEST_ORDERED
    const gputest_u64 index = context->order[at];
#else
    const gputest_u64 index = at;
#endif
    ENTER(index);
    gputest_begin(context, arguments, index % width, index / width % height, index / (width * height),
                  frames + index * frame_size);
    statuses[index] = (gputest_u32)context->status;
  }
  int stuck = 0; // nobody can go on but by way of a finding
  for (;; goes_on = 0) {
    gputest_u64 any = 0, blocked = 0, moved = 0;
    for (gputest_u64 first = 0; first < items; first += LANES) {
      const unsigned count = items - first < LANES ? (unsigned)(items - first) : LANES;
      for (;;) {
        gputest_u32 here = 0, waits = 0;
        for (unsigned i = 0; i < count; ++i) {
          const gputest_u32 status = statuses[first + i];
          here |= (gputest_u32)(status != 0) << i;
          waits |= (gputest_u32)((status & GPUTEST_WAITS_FOR_WARP) != 0) << i;
        }
        any |= here;
        if (!waits)
          break;
        gputest_u32 lanes = lanes_to_release(slots, first, here, waits);
        if (!lanes && !stuck && awaits(slots, first, waits)) { // for other warps
          blocked = 1;
          break;
        }
        moved = 1;
        if (!lanes) { // a shuffle that not all of its mask come to
          gputest_warp_stuck(context, first, waits);
          lanes = waits;
          stuck = 0;
        }
#ifdef GPUTEST_CHECKS
        else if (slots->kind[first + (unsigned)__builtin_ctz(lanes)] == AWAIT)
          gputest_awaited(context, slots->site[first + (unsigned)__builtin_ctz(lanes)]);
        else if (slots->kind[first + (unsigned)__builtin_ctz(lanes)] != ACTIVE)
          gputest_warp_met(context, first, lanes);
#endif
        answer(slots, first, lanes);
#ifdef GPUTEST_LABELS
        gputest_label_answer(slots, first, lanes);
#endif
        for (unsigned i = 0; i < count; ++i) {
          if (!(lanes >> i & 1))
            continue;
          ENTER(first + i);
          gputest_resume(frames + (first + i) * frame_size);
          statuses[first + i] = (gputest_u32)context->status;
        }
      }
    }
    if (!any)
      return;
    if (blocked) {
      stuck = !moved;
      continue;
    }
    gputest_u64 differs = 0, says = 0, here = 0, of_grid = 0;
    for (gputest_u64 i = 0; i < items; ++i) {
      differs |= statuses[i] ^ statuses[0];
      if (!statuses[i])
        continue;
      ++here;
      says += slots->kind[i] == GPUTEST_BLOCK_VOTE && slots->value[i];
      of_grid += slots->kind[i] == GPUTEST_GRID_SYNC;
    }
    if (!here)
      return;
    if (of_grid && !goes_on) {
      if (!context->cooperative)
        gputest_no_grid();
      context->grid_stop = 1;
      return;
    }
#ifndef GPUTEST_CHECKS
    if (differs)
#endif
      if (!gputest_turn(context))
        return;
#ifdef GPUTEST_LABELS
    gputest_label_votes(slots, statuses, items);
#endif
    for (gputest_u64 i = 0; i < items; ++i)
      slots->result[i] = here << 32 | says, slots->kind[i] = SYNC;
    for (gputest_u64 at = 0; at < items; ++at) {
#ifdef GPUTEST_ORDERED
      const gputest_u64 index = context->order[at];
#else
      const gputest_u64 index = at;
#endif
      if (!statuses[index])
        continue;
      ENTER(index);
      gputest_resume(frames + index * frame_size);
      statuses[index] = (gputest_u32)context->status;
    }
  }
}
