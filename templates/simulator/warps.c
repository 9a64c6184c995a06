// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the threads of a block in turns, where some wait for others of their warp (answers.c). Takes the place
// of groups.c. At a barrier of the grid the function returns, and is called again when all blocks are there.
// If all threads that could go on wait for memory to change, it also returns, so that other blocks can run. The
// next call lets the threads look at that memory again. Each looks once, and once more whenever threads have
// changed memory or ended, up to MOST_LOOKS times, so that a block does not keep others from running.

void gputest_begin(struct gputest_context *context, void *arguments, gputest_u64 x, gputest_u64 y, gputest_u64 z,
                   void *frame);
void gputest_resume(void *frame);
void gputest_fill_local(gputest_u8 byte);
int gputest_turn(struct gputest_context *context);

// Reports threads that wait for others which do not come.
void gputest_warp_stuck(struct gputest_context *context, gputest_u64 first, gputest_u64 lanes);
// Reports that these lanes of a sub-group take the values of lanes that have not come with them.
void gputest_warp_absent(struct gputest_context *context, gputest_u64 first, gputest_u64 lanes);
// Reports that what these lanes of the warp that begins with thread `first` have waited for has come.
void gputest_awaited(struct gputest_context *context, gputest_u64 first, gputest_u64 lanes);
// Reports a barrier of the grid, at this site, in a launch whose blocks do not all run at once.
void gputest_no_grid(gputest_u64 site);
// Reports that these lanes of the warp that begins with thread `first` have met. `steps`: nothing but a volatile
// access has made them wait for each other.
void gputest_warp_met(struct gputest_context *context, gputest_u64 first, gputest_u64 lanes, int steps);

#ifdef GPUTEST_LABELS
// Answer with expressions of the inputs (testgen/concolic/warps.h).
void gputest_label_answer(struct gputest_slots *slots, gputest_u64 first, gputest_u64 lanes);
void gputest_label_votes(struct gputest_slots *slots, const gputest_u32 *statuses, gputest_u64 items);
#endif

#ifdef GPUTEST_CHECKS
#define ENTER(index) (context->item = (index))
#else
#define ENTER(index) ((void)0)
#endif

#define MOST_LOOKS 256

// Parameters of a wait in sub-groups of OpenCL C (sub_group_lanes.cl); CUDA's are 0.
#define OF_VALUES 1
#define OF_ABSENT 3

// Returns those of `lanes` that wait for memory to change.
static inline lane_set lanes_that_spin(const struct gputest_slots *slots, gputest_u64 first, lane_set lanes) {
  lane_set spin = 0;
  for (unsigned i = 0; i < LANES; ++i)
    spin |= (lane_set)(lanes >> i & 1 && slots->kind[first + i] == GPUTEST_WARP_SPIN) << i;
  return spin;
}

// Whether the thread waits in a function of a sub-group that gives values, and orders no accesses (sub_group_lanes.cl).
static inline int of_values(const struct gputest_slots *slots, gputest_u64 thread) {
  return slots->kind[thread] == SYNC &&
         (slots->parameter[thread] == OF_VALUES || slots->parameter[thread] == OF_ABSENT);
}

static inline lane_set lanes_that_take_of_absent(const struct gputest_slots *slots, gputest_u64 first, lane_set lanes) {
  lane_set absent = 0;
  for (unsigned i = 0; i < LANES; ++i)
    absent |= (lane_set)(lanes >> i & 1 && slots->parameter[first + i] == OF_ABSENT) << i;
  return absent;
}

void gputest_group(struct gputest_context *context, void *arguments) {
  const gputest_u64 width = context->local_size[0], height = context->local_size[1], depth = context->local_size[2];
  gputest_u8 *const frames = context->frames;
  gputest_u32 *const statuses = context->statuses;
  struct gputest_slots *const slots = context->slots;
  const gputest_u64 frame_size = GPUTEST_FRAME_SIZE, items = width * height * depth;
  const gputest_u64 how = context->block_stop;
  int of_grid_go_on = how == GPUTEST_BLOCK_GRID;
  int stuck = how == GPUTEST_BLOCK_STUCK; // threads can go on only with a finding
  lane_set looked[GPUTEST_MOST_THREADS / LANES] = {0}; // lanes that have looked at memory, by warp
  unsigned looks = 0;
  context->block_stop = GPUTEST_BLOCK_BEGINS;
  context->changes = 0;
  context->moved = how == GPUTEST_BLOCK_BEGINS || how == GPUTEST_BLOCK_GRID;
  if (how == GPUTEST_BLOCK_BEGINS)
    gputest_fill_local((gputest_u8)context->local_fill);
  for (gputest_u64 at = 0; at < items && how == GPUTEST_BLOCK_BEGINS; ++at) {
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
  for (;; of_grid_go_on = 0) {
    gputest_u64 any = 0, blocked = 0, released = 0, moved = 0;
    for (gputest_u64 first = 0; first < items; first += LANES) {
      const unsigned count = items - first < LANES ? (unsigned)(items - first) : LANES;
      for (;;) {
        lane_set here = 0, waits = 0;
        for (unsigned i = 0; i < count; ++i) {
          const gputest_u32 status = statuses[first + i];
          here |= (lane_set)(status != 0) << i;
          waits |= (lane_set)((status & GPUTEST_WAITS_FOR_WARP) != 0) << i;
        }
        any |= here != 0;
        if (!waits)
          break;
        lane_set lanes = lanes_to_release(slots, first, here, waits);
        lane_set spin = 0;
        if (!lanes) {
          spin = lanes_that_spin(slots, first, waits);
          lanes = spin & ~looked[first / LANES];
          looked[first / LANES] |= lanes;
          const int for_others = awaits(slots, first, waits);
          if (!lanes && !(stuck && for_others) && (spin || for_others)) { // they wait for memory or other warps
            blocked = 1;
            break;
          }
        }
        released |= !spin;
        if (lanes && !spin)
          look_at_mask(context, first, lanes);
        if (!lanes) { // a shuffle that not all threads of its mask reach
          gputest_warp_stuck(context, first, waits);
          lanes = waits;
          stuck = 0;
        }
#ifdef GPUTEST_CHECKS
        else if (spin)
          ;
        else if (slots->kind[first + LOWEST(lanes)] == AWAIT)
          gputest_awaited(context, first, lanes);
        else if (of_values(slots, first + LOWEST(lanes))) {
          const lane_set absent = lanes_that_take_of_absent(slots, first, lanes);
          if (absent)
            gputest_warp_absent(context, first, absent);
        } else if (slots->kind[first + LOWEST(lanes)] != ACTIVE)
          gputest_warp_met(context, first, lanes, slots->kind[first + LOWEST(lanes)] == GPUTEST_WARP_STEP);
#endif
        if (!spin) {
          answer(slots, first, lanes);
#if defined(GPUTEST_LABELS) && LANES == 32 // of 64 lanes, results count as constants
          gputest_label_answer(slots, first, lanes);
#endif
        }
        for (unsigned i = 0; i < count; ++i) {
          if (!(lanes >> i & 1))
            continue;
          ENTER(first + i);
          gputest_resume(frames + (first + i) * frame_size);
          statuses[first + i] = (gputest_u32)context->status;
          moved |= !context->status;
        }
      }
    }
    moved |= context->changes != 0;
    context->changes = 0;
    context->moved |= moved;
    if (!any)
      return;
    if (blocked) {
      if (context->in_turns && ((!moved && !released) || ++looks == MOST_LOOKS)) {
        context->block_stop = GPUTEST_BLOCK_WAITS;
        return;
      }
      for (gputest_u64 i = 0; moved && i < GPUTEST_MOST_THREADS / LANES; ++i)
        looked[i] = 0;
      stuck = !released && !moved;
      continue;
    }
    gputest_u64 differs = 0, says = 0, here = 0, of_grid = 0, of_cluster = 0, grid_site = 0;
    for (gputest_u64 i = 0; i < items; ++i) {
      differs |= statuses[i] ^ statuses[0];
      if (!statuses[i])
        continue;
      ++here;
      says += slots->kind[i] == GPUTEST_BLOCK_VOTE && slots->value[i];
      of_grid += slots->kind[i] == GPUTEST_GRID_SYNC;
      grid_site = slots->kind[i] == GPUTEST_GRID_SYNC ? slots->site[i] : grid_site;
      of_cluster += slots->kind[i] == GPUTEST_GRID_SYNC && slots->parameter[i];
    }
    if (!here)
      return;
    if (of_grid && !of_grid_go_on) {
      if (!context->cooperative && !of_cluster)
        gputest_no_grid(grid_site);
      context->block_stop = of_cluster ? GPUTEST_BLOCK_CLUSTER : GPUTEST_BLOCK_GRID;
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
