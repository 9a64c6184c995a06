// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Holds all mutants of a kernel, one of which is active, and stops the harm that mutants do.
 *
 * The pass defines, before this text:
 *   GPUTEST_ARGUMENTS  the largest number of arguments of a kernel
 *   GPUTEST_GUARDS     number of guards; votes report numbers above it
 *   GPUTEST_VOTES      number of decisions that work-items of a group must agree on
 *   GPUTEST_LARGE      set if there are so many mutants that compiling takes longer than running
 * GPUTEST_PURE is for comparing the code of mutants: the active mutant is a constant, events are calls, and there
 * is no tracing, no budget, no vote and no order of work-items.
 */
typedef struct {
  __global uint* state;
  uint active; /* number of the active mutant; 0: the original */
  uint mask;   /* 0 while tracing: every site takes its rare path and says that it was reached */
  uint budget;   /* loop iterations left */
  uint together; /* the same for loops around barriers, which work-items must leave together */
  uint schedule; /* offset of the section `schedule`; 0: the device's own ids */
#if GPUTEST_VOTING
  gputest_votes votes;
#endif
} gputest_context;

/* ---- landmarks ---- */

/* PoCL (up to 7.1 at least) adds a barrier of its own where the paths to a barrier split: in the first block that leads
 * only to that barrier. If this block only branches, as to a site of mutants, PoCL later takes the block for a barrier
 * and puts the next one behind the branch, on one side of it. It then compiles all that follows twice, and twice again
 * at the next such place. A volatile access gives such blocks more than a branch. */
#if defined(POCL_DEVICE_ADDRESS_BITS) && !defined(GPUTEST_PURE)
GPUTEST_STATIC void gputest_landmark(void) { volatile uint landmark = 0; }
#define GPUTEST_LANDMARK gputest_landmark();
#define barrier(flags) (barrier(flags), gputest_landmark())
#define work_group_barrier(...) (work_group_barrier(__VA_ARGS__), gputest_landmark())
#else
#define GPUTEST_LANDMARK
#endif

/* For functions at every number and every access. As calls they take some time in each run, but a kernel then has few
 * blocks, and PoCL takes more than twice as long for twice as many. */
#if defined(GPUTEST_LARGE) && !defined(GPUTEST_PURE)
#define GPUTEST_OFTEN GPUTEST_RARE
#else
#define GPUTEST_OFTEN GPUTEST_STATIC
#endif

#define GPUTEST_SIZES GPUTEST_STATE_HEADER_WORDS
#define GPUTEST_REACHED (GPUTEST_SIZES + 2 * GPUTEST_ARGUMENTS)

/* ---- mutants ---- */

#ifdef GPUTEST_PURE
extern __constant uint gputest_active;
#define GPUTEST_MASK 0xffffffffu
#define GPUTEST_IS(number) (gputest_active == (number))
#define GPUTEST_WHICH(first) (gputest_active - (first))
GPUTEST_STATIC int gputest_pick(__global uint* state, uint site) { return 1; }
#else
#define GPUTEST_MASK (gputest->mask)
#define GPUTEST_IS(number) (gputest->active == (number))
#define GPUTEST_WHICH(first) (gputest->active - (first))

/* On the rare path: whether a mutant of the site is active; else the site is only being traced. */
GPUTEST_RARE int gputest_pick(__global uint* state, uint site) {
  if (!state[GPUTEST_STATE_TRACE])
    return 1;
  volatile __global uint* reached = state + GPUTEST_REACHED + site / 32;
  if (!(*reached & 1u << site % 32))
    atomic_or(reached, 1u << site % 32);
  return 0;
}
#endif

#define GPUTEST_IN(first, count) ((GPUTEST_WHICH(first) & GPUTEST_MASK) < (count))

/* Both operands are evaluated. */
GPUTEST_STATIC size_t gputest_either(int is_mutant, size_t mutant, size_t original) {
  return is_mutant ? mutant : original;
}

/* Nibbles of `codes` are operators: the lowest is the original's, the others are the mutants'. */
GPUTEST_STATIC uint gputest_choice(__global uint* state, uint which, uint site, ulong codes) {
  return (uint)(gputest_pick(state, site) ? codes >> 4 * (which + 1) & 15 : codes & 15);
}

/* A number whose mutants are the next one and the one before. */
GPUTEST_RARE int gputest_rare_near(__global uint* state, uint which, uint site, int number) {
  return !gputest_pick(state, site) ? number : which ? number - 1 : number + 1;
}
GPUTEST_OFTEN int gputest_near(__global uint* state, uint which, uint mask, uint site, int number) {
  return (which & mask) < 2 ? gputest_rare_near(state, which, site, number) : number;
}
#define GPUTEST_NEAR(first, site, number) \
  gputest_near(gputest->state, GPUTEST_WHICH(first), GPUTEST_MASK, site, number)

#define GPUTEST_KEEP(number, site) (!(GPUTEST_IN(number, 1) && gputest_pick(gputest->state, site)))

/* ---- guards ---- */

/* Returns `index` if that element, of `element` bytes, lies within the object's `size` bytes, else the index of
 * the object's first element. `offset`: bytes from the beginning of the object to element 0. All is modulo 2^64,
 * so that a place before the beginning is far behind the end. */
GPUTEST_OFTEN long gputest_at(__global uint* state, long index, ulong offset, ulong size, ulong element, uint guard) {
  const ulong at = offset + (ulong)index * element;
  if (at <= size - element && size >= element)
    return index;
  gputest_report(state, GPUTEST_EVENT_OUT_OF_BOUNDS, guard);
  return -((long)offset / (long)element);
}

/* The same for an array declared with `count` elements. */
GPUTEST_OFTEN long gputest_within(__global uint* state, long index, ulong count, uint guard) {
  if ((ulong)index < count)
    return index;
  gputest_report(state, GPUTEST_EVENT_OUT_OF_BOUNDS, guard);
  return 0;
}

/* The same for an address. */
GPUTEST_OFTEN ulong gputest_address(__global uint* state, ulong address, ulong low, ulong size, ulong element, uint guard) {
  if (address - low <= size - element && size >= element)
    return address;
  gputest_report(state, GPUTEST_EVENT_OUT_OF_BOUNDS, guard);
  return low;
}

/* Guard element `index` of `pointer`; VECTOR: `unit` bytes at `index` times `unit`. */
#define GPUTEST_AT(index, pointer, low, size, guard) \
  GPUTEST_VECTOR_AT(index, pointer, low, size, sizeof(*(pointer)), guard)
#define GPUTEST_VECTOR_AT(index, pointer, low, size, unit, guard) \
  gputest_at(gputest->state, (long)(index), (ulong)(pointer) - (low), size, (unit), guard)
#define GPUTEST_WITHIN(index, count, guard) gputest_within(gputest->state, (long)(index), count, guard)
#define GPUTEST_ADDRESS(address, low, size, element, guard) \
  gputest_address(gputest->state, (ulong)(address), low, size, element, guard)

/* For copies of an access, each for one mutant: there are many, and they rarely run. */
#ifdef GPUTEST_PURE
#define GPUTEST_RARE_AT GPUTEST_AT
#define GPUTEST_RARE_VECTOR_AT GPUTEST_VECTOR_AT
#define GPUTEST_RARE_WITHIN GPUTEST_WITHIN
#else
GPUTEST_RARE long gputest_rare_at(__global uint* state, long index, ulong offset, ulong size, ulong element,
                                  uint guard) {
  return gputest_at(state, index, offset, size, element, guard);
}
GPUTEST_RARE long gputest_rare_within(__global uint* state, long index, ulong count, uint guard) {
  return gputest_within(state, index, count, guard);
}
#define GPUTEST_RARE_AT(index, pointer, low, size, guard) \
  GPUTEST_RARE_VECTOR_AT(index, pointer, low, size, sizeof(*(pointer)), guard)
#define GPUTEST_RARE_VECTOR_AT(index, pointer, low, size, unit, guard) \
  gputest_rare_at(gputest->state, (long)(index), (ulong)(pointer) - (low), size, (unit), guard)
#define GPUTEST_RARE_WITHIN(index, count, guard) gputest_rare_within(gputest->state, (long)(index), count, guard)
#endif

/* The index of an element, a number within the array, whose mutants are those of GPUTEST_NEAR. */
GPUTEST_RARE int gputest_rare_element(__global uint* state, uint which, uint site, int number, ulong count,
                                      uint guard) {
  return (int)gputest_within(state, gputest_rare_near(state, which, site, number), count, guard);
}
GPUTEST_OFTEN int gputest_element(__global uint* state, uint which, uint mask, uint site, int number, ulong count,
                                  uint guard) {
  return (which & mask) < 2 ? gputest_rare_element(state, which, site, number, count, guard) : number;
}
#define GPUTEST_ELEMENT(first, site, number, count, guard) \
  gputest_element(gputest->state, GPUTEST_WHICH(first), GPUTEST_MASK, site, number, count, guard)

/* These are in every loop's condition. Loops around barriers have a budget of their own, of which all work-items of a
 * group have used the same amount. */
#define GPUTEST_CONTINUE gputest_counted(gputest->state, gputest->mask, &gputest->budget, 0)
#define GPUTEST_CONTINUE_TOGETHER gputest_counted(gputest->state, gputest->mask, &gputest->together, 0)

#if GPUTEST_VOTING
GPUTEST_STATIC void gputest_report_vote(__global uint* state, uint vote) {
  gputest_report(state, GPUTEST_EVENT_DIVERGENCE, GPUTEST_GUARDS + 1 + vote);
}
#endif

/* Once a work-item has used up the budget, the mutant is detected, so work-items that begin later get none. Only on
 * PoCL's CPUs, where one thread runs all work-items of a group: elsewhere they must take the same path to barriers. */
GPUTEST_STATIC uint gputest_budget(__global uint* state) {
#if defined(POCL_DEVICE_ADDRESS_BITS) && (defined(__x86_64__) || defined(__aarch64__) || defined(__riscv))
  if (((volatile __global uint*)state)[GPUTEST_STATE_EVENTS] & GPUTEST_EVENT_BUDGET)
    return 0;
#endif
  return state[GPUTEST_STATE_BUDGET];
}

#define GPUTEST_ENTER                                                                               \
  GPUTEST_ENTER_VOTES                                                                               \
  gputest_context gputest_context_ = {gputest_state,                                                \
                                      gputest_state[GPUTEST_STATE_ACTIVE],                          \
                                      gputest_state[GPUTEST_STATE_TRACE] ? 0 : 0xffffffffu,         \
                                      gputest_budget(gputest_state),                                \
                                      gputest_budget(gputest_state),                                \
                                      gputest_state[GPUTEST_STATE_SCHEDULE] GPUTEST_BALLOTS};          \
  gputest_context* gputest = &gputest_context_;
/* A block has a context of its own: it may run when the kernel has ended. */
#define GPUTEST_ENTER_BLOCK(buffer)                                                \
  gputest_context gputest_context_ = {buffer,                                      \
                                      buffer[GPUTEST_STATE_ACTIVE],                \
                                      buffer[GPUTEST_STATE_TRACE] ? 0 : 0xffffffffu, \
                                      gputest_budget(buffer),                      \
                                      gputest_budget(buffer)};                     \
  gputest_context* gputest = &gputest_context_;
#define GPUTEST_SIZE(argument)                                 \
  (gputest_state[GPUTEST_SIZES + 2 * (argument)] |             \
   (ulong)gputest_state[GPUTEST_SIZES + 2 * (argument) + 1] << 32)

/* ---- the order of work-items ---- */

#ifndef GPUTEST_PURE
GPUTEST_RARE size_t gputest_rare_group_id(__global const uint* schedule, uint dimension) {
  return gputest_scheduled_group(schedule, gputest_place(), dimension);
}
GPUTEST_RARE size_t gputest_rare_local_id(__global const uint* schedule, uint dimension) {
  return gputest_scheduled_item(schedule, dimension);
}

GPUTEST_STATIC size_t gputest_get_group_id(const gputest_context* gputest, uint dimension) {
  return gputest->schedule ? gputest_rare_group_id(gputest->state + gputest->schedule, dimension)
                           : get_group_id(dimension);
}
GPUTEST_STATIC size_t gputest_get_local_id(const gputest_context* gputest, uint dimension) {
  return gputest->schedule ? gputest_rare_local_id(gputest->state + gputest->schedule, dimension)
                           : get_local_id(dimension);
}
#define GPUTEST_REDIRECT
#define GPUTEST_NATIVE(gputest) (!(gputest)->schedule)
#define gputest_get_global_size(gputest, dimension) get_global_size(dimension)
#define gputest_get_global_offset(gputest, dimension) get_global_offset(dimension)
#define gputest_get_enqueued_local_size(gputest, dimension) \
  ((gputest)->state[(gputest)->schedule + GPUTEST_SCHEDULE_LOCAL_SIZE + (dimension)])
#endif
