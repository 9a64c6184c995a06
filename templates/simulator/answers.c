// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers threads of a warp that wait for each other: CUDA's shuffles, votes and __syncwarp. Stands before
// warps.c and segments.c.
//
// A thread writes its request into its slot and stops. It goes on, with the answer, when every thread of its
// mask that has not left the kernel has stopped with the same mask and request (CUDA C++ Programming Guide,
// "Warp Shuffle Functions"). Threads without a mask wait until no other thread of the warp can go on. When no
// warp can go on, the block is at a barrier.

#define LANES GPUTEST_WARP_LANES

// A set of lanes, and its lowest one.
#if LANES == 64
typedef gputest_u64 lane_set;
#define LOWEST(lanes) ((unsigned)__builtin_ctzl(lanes))
#else
typedef gputest_u32 lane_set;
#define LOWEST(lanes) ((unsigned)__builtin_ctz(lanes))
#endif
#define LANE(number) ((lane_set)1 << (number))
#define ALL_LANES (~(lane_set)0 >> (8 * sizeof(lane_set) - LANES))

enum {
  SYNC = GPUTEST_WARP_SYNC, SHUFFLE = GPUTEST_WARP_SHUFFLE, SHUFFLE_UP = GPUTEST_WARP_SHUFFLE_UP,
  SHUFFLE_DOWN = GPUTEST_WARP_SHUFFLE_DOWN, SHUFFLE_XOR = GPUTEST_WARP_SHUFFLE_XOR, ALL = GPUTEST_WARP_ALL,
  ANY = GPUTEST_WARP_ANY, UNI = GPUTEST_WARP_UNI, BALLOT = GPUTEST_WARP_BALLOT, MATCH_ANY = GPUTEST_WARP_MATCH_ANY,
  MATCH_ALL = GPUTEST_WARP_MATCH_ALL, ADD = GPUTEST_WARP_ADD, MIN = GPUTEST_WARP_MIN, MAX = GPUTEST_WARP_MAX,
  UMIN = GPUTEST_WARP_UMIN, UMAX = GPUTEST_WARP_UMAX, AND = GPUTEST_WARP_AND, OR = GPUTEST_WARP_OR,
  XOR = GPUTEST_WARP_XOR, ACTIVE = GPUTEST_WARP_ACTIVE, AWAIT = GPUTEST_WARP_AWAIT
};

static inline lane_set mask_of(const struct gputest_slots *slots, gputest_u64 thread) {
#if LANES == 64
  return (lane_set)slots->upper_mask[thread] << 32 | slots->mask[thread];
#else
  return slots->mask[thread];
#endif
}

// Reports that lanes of the warp that begins with thread `first` have called with a mask that does not name them.
void gputest_warp_unnamed(struct gputest_context *context, gputest_u64 first, gputest_u64 lanes);

// The lane that a shuffle reads; `lane` itself if that lane is outside of the part of the warp.
static inline unsigned source_of(gputest_u32 kind, gputest_u32 parameter, unsigned lane) {
  const int by = (short)(parameter & 0xffff);
  const unsigned width = parameter >> 16 ? parameter >> 16 : LANES;
  const unsigned begin = lane / width * width;
  int from = (int)lane;
  switch (kind) {
  case SHUFFLE:
    return begin + ((unsigned)by & (width - 1));
  case SHUFFLE_UP:
    from = (int)lane - by;
    break;
  case SHUFFLE_DOWN:
    from = (int)lane + by;
    break;
  case SHUFFLE_XOR: // may read an earlier part, but no later one
    from = (int)(lane ^ (unsigned)by);
    return from < (int)(begin + width) ? (unsigned)from : lane;
  }
  return from >= (int)begin && from < (int)(begin + width) ? (unsigned)from : lane;
}

static gputest_u64 reduced(const gputest_u64 *values, lane_set lanes, unsigned kind) {
  gputest_u64 result = 0;
  int begun = 0;
  for (unsigned i = 0; i < LANES; ++i) {
    if (!(lanes >> i & 1))
      continue;
    const gputest_u32 mine = (gputest_u32)values[i], so_far = (gputest_u32)result;
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

// Answers a shuffle of the whole warp with one parameter.
static void shuffle(gputest_u64 *results, const gputest_u64 *values, gputest_u32 kind, gputest_u32 parameter) {
  for (unsigned i = 0; i < LANES; ++i)
    results[i] = values[source_of(kind, parameter, i) % LANES];
}

// Answers the lanes that have met, in the warp that begins with thread `first`.
static __attribute__((noinline)) void answer(struct gputest_slots *slots, gputest_u64 first, lane_set lanes) {
  const gputest_u32 *const kinds = slots->kind + first, *const parameters = slots->parameter + first;
  const gputest_u64 *const values = slots->value + first;
  gputest_u64 *const results = slots->result + first;
  const unsigned one = LOWEST(lanes), kind = kinds[one];
  if (kind == GPUTEST_WARP_STEP || kind == AWAIT)
    return;
  if (kind == SYNC) {
    for (unsigned i = 0; i < LANES; ++i)
      if (lanes >> i & 1)
        results[i] = values[i];
    return;
  }
  if (kind <= SHUFFLE_XOR) {
    gputest_u32 differs = lanes != ALL_LANES;
    for (unsigned i = 0; i < LANES; ++i)
      differs |= parameters[i] ^ parameters[one];
    if (!differs) {
      shuffle(results, values, kind, parameters[one]);
      return;
    }
    for (unsigned i = 0; i < LANES; ++i) {
      if (!(lanes >> i & 1))
        continue;
      // The value of a lane that has not met the others is undefined. GPUs give 0, and programs rely on it.
      const unsigned from = source_of(kind, parameters[i], i);
      results[i] = lanes >> from & 1 ? values[from] : 0;
    }
    return;
  }
  if (kind == MATCH_ANY) {
    for (unsigned i = 0; i < LANES; ++i) {
      lane_set same = 0;
      for (unsigned k = 0; k < LANES; ++k)
        if (lanes >> k & 1 && values[k] == values[i])
          same |= LANE(k);
      if (lanes >> i & 1)
        results[i] = same;
    }
    return;
  }
  lane_set says = 0, match = lanes;
  for (unsigned i = 0; i < LANES; ++i)
    if (lanes >> i & 1) {
      says |= (lane_set)(values[i] != 0) << i;
      match = values[i] == values[one] ? match : 0;
    }
  gputest_u64 common = 0; // the answer that all get
  switch (kind) {
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
    common = match;
    break;
  default:
    common = reduced(values, lanes, kind);
  }
  for (unsigned i = 0; i < LANES; ++i)
    if (lanes >> i & 1)
      results[i] = common;
}

// Whether the word at `value` has reached `parameter`, as a thread of cuda::barrier or cuda::pipeline awaits.
static inline int has_come(const struct gputest_slots *slots, gputest_u64 thread) {
  return (int)(*(const volatile unsigned *)slots->value[thread] - slots->parameter[thread]) >= 0;
}

static inline int awaits(const struct gputest_slots *slots, gputest_u64 first, lane_set waits) {
  for (unsigned i = 0; i < LANES; ++i)
    if (waits >> i & 1 && slots->kind[first + i] == AWAIT)
      return 1;
  return 0;
}

// Whether `thread` goes on before `other`, which waits without a mask, too: at the first wait of those in lock step,
// which have numbers (ir/kernels/lock_step.h); in sub-groups, at the first call in the code (sub_group_lanes.cl).
static inline int goes_first(const struct gputest_slots *slots, gputest_u64 thread, gputest_u64 other) {
  const gputest_u32 kind = slots->kind[thread], parameter = slots->parameter[thread];
  if (!parameter)
    return 0;
  if (kind == GPUTEST_WARP_STEP && slots->kind[other] == GPUTEST_WARP_STEP)
    return parameter < slots->parameter[other];
  return slots->parameter[other] && slots->site[thread] < slots->site[other];
}

// Returns some lanes of a warp that can go on together, or 0. `here`: the lanes that are in the kernel.
// `waits`: those that wait for others of the warp.
static __attribute__((noinline)) lane_set lanes_to_release(const struct gputest_slots *slots, gputest_u64 first,
                                                           lane_set here, lane_set waits) {
  const gputest_u32 *const kinds = slots->kind + first;
  lane_set without_mask = 0;
  for (unsigned i = 0; i < LANES; ++i) {
    if (!(waits >> i & 1))
      continue;
    if (kinds[i] == GPUTEST_WARP_SPIN)
      continue;
    if (kinds[i] == AWAIT) {
      if (has_come(slots, first + i))
        return LANE(i);
      continue;
    }
    if (kinds[i] == ACTIVE || kinds[i] == GPUTEST_WARP_STEP) {
      without_mask |= LANE(i);
      continue;
    }
    const lane_set mask = mask_of(slots, first + i);
    // A lane that it does not name goes on alone. In sub-groups, those that have left the kernel are missing.
    const lane_set present = slots->parameter[first + i] && kinds[i] == SYNC ? ALL_LANES : here;
    const lane_set wanted = mask & LANE(i) ? mask & present : LANE(i);
    if ((wanted & waits) != wanted)
      continue;
    int all = 1;
    for (unsigned k = 0; k < LANES && all; ++k)
      if (wanted >> k & 1)
        all = kinds[k] == kinds[i] && mask_of(slots, first + k) == mask;
    if (all)
      return wanted;
  }
  if (!without_mask)
    return 0;
  unsigned one = LOWEST(without_mask);
  for (unsigned i = one + 1; i < LANES; ++i)
    if (without_mask >> i & 1 && goes_first(slots, first + i, first + one))
      one = i;
  lane_set together = 0;
  for (unsigned i = 0; i < LANES; ++i)
    if (without_mask >> i & 1 && kinds[i] == kinds[one] &&
        (kinds[one] == ACTIVE ? slots->site[first + i] == slots->site[first + one]
                              : slots->parameter[first + i] == slots->parameter[first + one]))
      together |= LANE(i);
  return together;
}

// Lanes that go on together have the same mask. Looks whether it names them.
static inline void look_at_mask(struct gputest_context *context, gputest_u64 first, lane_set lanes) {
  const struct gputest_slots *const slots = context->slots;
  const unsigned one = LOWEST(lanes), kind = slots->kind[first + one];
  const lane_set unnamed = lanes & ~mask_of(slots, first + one);
  if (unnamed && kind < ACTIVE)
    gputest_warp_unnamed(context, first, unnamed);
}

