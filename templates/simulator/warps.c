// How the threads of a block take turns where some wait for others of their warp: CUDA's shuffles, votes
// and __syncwarp. Takes the place of groups.c.
//
// A thread that wants something of its warp says what in its slot and stops. It goes on, with the answer,
// when every thread of its mask that has not left the kernel has stopped with the same mask and wish
// (CUDA C++ Programming Guide, "Warp Shuffle Functions"). Threads that have no mask wait until nobody else
// of the warp can go on. When no warp can go on either, the block is at a barrier. At that of the grid the
// function returns, and is called again when all blocks are there.

#define LANES 32

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

// The order of cuda/include/gputest_cuda/warps.h.
enum {
  SYNC, SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, ALL, ANY, UNI, BALLOT, MATCH_ANY, MATCH_ALL,
  ADD, MIN, MAX, UMIN, UMAX, AND, OR, XOR, ACTIVE, AWAIT
};

// The lane that a shuffle reads; `lane` itself where it is outside of its part of the warp.
static unsigned source_of(const struct gputest_slot *slot, unsigned lane) {
  const int by = (short)(slot->parameter & 0xffff);
  const unsigned width = slot->parameter >> 16 ? slot->parameter >> 16 : LANES;
  const unsigned begin = lane / width * width;
  int from = (int)lane;
  switch (slot->kind) {
  case SHUFFLE:
    return begin + ((unsigned)by & (width - 1));
  case SHUFFLE_UP:
    from = (int)lane - by;
    break;
  case SHUFFLE_DOWN:
    from = (int)lane + by;
    break;
  case SHUFFLE_XOR: // may read an earlier part, and no later one
    from = (int)(lane ^ (unsigned)by);
    return from < (int)(begin + width) ? (unsigned)from : lane;
  }
  return from >= (int)begin && from < (int)(begin + width) ? (unsigned)from : lane;
}

static gputest_u64 reduced(const struct gputest_slot *slots, unsigned lanes, unsigned kind) {
  gputest_u64 result = 0;
  int begun = 0;
  for (unsigned i = 0; i < LANES; ++i) {
    if (!(lanes >> i & 1))
      continue;
    const gputest_u32 mine = (gputest_u32)slots[i].value, so_far = (gputest_u32)result;
    if (!begun)
      result = mine;
    else if (kind == ADD)
      result = so_far + mine;
    else if (kind == MIN)
      result = (int)mine < (int)so_far ? mine : so_far;
    else if (kind == MAX)
      result = (int)mine > (int)so_far ? mine : so_far;
    else if (kind == UMIN)
      result = mine < so_far ? mine : so_far;
    else if (kind == UMAX)
      result = mine > so_far ? mine : so_far;
    else if (kind == AND)
      result = so_far & mine;
    else if (kind == OR)
      result = so_far | mine;
    else
      result = so_far ^ mine;
    begun = 1;
  }
  return (gputest_u32)result;
}

// Answers the lanes that have met.
static __attribute__((noinline)) void answer(struct gputest_slot *slots, gputest_u32 lanes) {
  gputest_u32 says = 0;
  for (unsigned i = 0; i < LANES; ++i)
    if (lanes >> i & 1 && slots[i].value)
      says |= 1u << i;
  gputest_u64 common = 0;
  int has_common = 0;
  for (unsigned i = 0; i < LANES; ++i) {
    if (!(lanes >> i & 1))
      continue;
    struct gputest_slot *const slot = &slots[i];
    if (slot->kind <= SHUFFLE_XOR) {
      const unsigned from = source_of(slot, i);
      // What a lane holds that is not among them is not defined; here it is one's own.
      slot->result = lanes >> from & 1 ? slots[from].value : slot->value;
    } else if (slot->kind == MATCH_ANY) {
      gputest_u32 same = 0;
      for (unsigned k = 0; k < LANES; ++k)
        if (lanes >> k & 1 && slots[k].value == slot->value)
          same |= 1u << k;
      slot->result = same;
    } else {
      if (!has_common) { // the same for all
        has_common = 1;
        int match = 1;
        switch (slot->kind) {
        case ALL:
          common = says == lanes;
          break;
        case ANY:
          common = says != 0;
          break;
        case UNI:
          common = says == lanes || says == 0;
          break;
        case BALLOT:
          common = says;
          break;
        case ACTIVE:
          common = lanes;
          break;
        case MATCH_ALL:
          for (unsigned k = 0; k < LANES; ++k)
            if (lanes >> k & 1 && slots[k].value != slot->value)
              match = 0;
          common = match ? lanes : 0;
          break;
        case GPUTEST_WARP_STEP:
          break;
        default:
          common = reduced(slots, lanes, slot->kind);
        }
      }
      slot->result = common;
    }
  }
}

// A thread waits until the word at `value` has come to `parameter`: cuda::barrier and cuda::pipeline.
static int has_come(const struct gputest_slot *slot) {
  return (int)(*(const volatile unsigned *)slot->value - slot->parameter) >= 0;
}

static int awaits(const struct gputest_slot *slots, gputest_u32 waits) {
  for (unsigned i = 0; i < LANES; ++i)
    if (waits >> i & 1 && slots[i].kind == AWAIT)
      return 1;
  return 0;
}

// Some lanes of a warp that can go on, or 0: `here` those of the warp that are in the kernel, `waits` those
// that wait for others of the warp.
static __attribute__((noinline)) gputest_u32 lanes_to_release(const struct gputest_slot *slots, gputest_u32 here,
                                                              gputest_u32 waits) {
  gputest_u32 without_mask = 0;
  for (unsigned i = 0; i < LANES; ++i) {
    if (!(waits >> i & 1))
      continue;
    const struct gputest_slot *const slot = &slots[i];
    if (slot->kind == AWAIT) {
      if (has_come(slot))
        return 1u << i;
      continue;
    }
    if (slot->kind == ACTIVE || slot->kind == GPUTEST_WARP_STEP) {
      without_mask |= 1u << i;
      continue;
    }
    const gputest_u32 wanted = (slot->mask & here) | 1u << i;
    if ((wanted & waits) != wanted)
      continue;
    int all = 1;
    for (unsigned k = 0; k < LANES && all; ++k)
      if (wanted >> k & 1)
        all = slots[k].kind == slot->kind && slots[k].mask == slot->mask;
    if (all)
      return wanted;
  }
  if (!without_mask)
    return 0;
  const struct gputest_slot *const first = &slots[__builtin_ctz(without_mask)];
  gputest_u32 together = 0;
  for (unsigned i = 0; i < LANES; ++i)
    if (without_mask >> i & 1 && slots[i].kind == first->kind &&
        (first->kind != ACTIVE || slots[i].site == first->site))
      together |= 1u << i;
  return together;
}

#ifdef GPUTEST_CHECKS
#define ENTER(index) (context->item = (index))
#else
#define ENTER(index) ((void)0)
#endif

void gputest_group(struct gputest_context *context, void *arguments) {
  const gputest_u64 width = context->local_size[0], height = context->local_size[1], depth = context->local_size[2];
  gputest_u8 *const frames = context->frames;
  gputest_u32 *const statuses = context->statuses;
  struct gputest_slot *const slots = context->slots;
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
        gputest_u32 lanes = lanes_to_release(slots + first, here, waits);
        if (!lanes && !stuck && awaits(slots + first, waits)) { // for other warps
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
        else if (slots[first + (unsigned)__builtin_ctz(lanes)].kind == AWAIT)
          gputest_awaited(context, slots[first + (unsigned)__builtin_ctz(lanes)].site);
        else if (slots[first + (unsigned)__builtin_ctz(lanes)].kind != ACTIVE)
          gputest_warp_met(context, first, lanes);
#endif
        answer(slots + first, lanes);
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
      says += slots[i].kind == GPUTEST_BLOCK_VOTE && slots[i].value;
      of_grid += slots[i].kind == GPUTEST_GRID_SYNC;
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
    for (gputest_u64 i = 0; i < items; ++i)
      slots[i].result = here << 32 | says, slots[i].kind = SYNC;
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
