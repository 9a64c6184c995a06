/* What a kernel needs to hold all its mutants, one of which is active, and to stop what mutants do wrong.
 *
 * The pass defines, before this text:
 *   GPUTEST_ARGUMENTS  number of arguments of the kernel that has most of them
 *   GPUTEST_GUARDS     number of guards; votes report numbers above it
 *   GPUTEST_VOTES      number of decisions that work-items of a group must agree on
 * GPUTEST_PURE is for comparing the code of mutants: what is active is a constant, events are calls, and there
 * is no tracing, no budget, no vote and no order of work-items.
 */
#define GPUTEST_RARE __attribute__((noinline)) static

typedef struct {
  __global uint* state;
  uint active; /* number of the active mutant; 0: the original */
  uint mask;   /* 0 while tracing: every site takes its rare path and says that it was reached */
  uint budget;   /* loop iterations left */
  uint together; /* the same for loops around barriers, which work-items must leave together */
  uint order;
#if GPUTEST_VOTING
  gputest_votes votes;
#endif
} gputest_context;

#define GPUTEST_SIZES GPUTEST_STATE_HEADER_WORDS
#define GPUTEST_REACHED (GPUTEST_SIZES + 2 * GPUTEST_ARGUMENTS)

/* ---- mutants ---- */

#ifdef GPUTEST_PURE
extern __constant uint gputest_active;
#define GPUTEST_IN(first, count) (gputest_active - (first) < (count))
#define GPUTEST_IS(number) (gputest_active == (number))
#define GPUTEST_WHICH(first) (gputest_active - (first))
static int gputest_pick(__global uint* state, uint site) { return 1; }
#else
#define GPUTEST_IN(first, count) (((gputest->active - (first)) & gputest->mask) < (count))
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

/* Nibbles of `codes` are operators: the lowest is the original's, the others are the mutants'. */
static uint gputest_choice(__global uint* state, uint which, uint site, ulong codes) {
  return (uint)(gputest_pick(state, site) ? codes >> 4 * (which + 1) & 15 : codes & 15);
}

#define GPUTEST_KEEP(number, site) (!(GPUTEST_IN(number, 1) && gputest_pick(gputest->state, site)))

/* ---- guards ---- */

#ifdef GPUTEST_PURE
void gputest_event(uint event);
#define gputest_report(state, event, guard) gputest_event(event)
#else
GPUTEST_RARE void gputest_report(volatile __global uint* state, uint event, uint guard) {
  atomic_or(state + GPUTEST_STATE_EVENTS, event);
  state[GPUTEST_STATE_GUARD] = guard;
}
#endif

/* `index` where that element of `element` bytes lies within the `size` bytes an object has, else the index of
 * its first element. `offset`: bytes from the beginning of the object to element 0. All modulo 2^64, so that
 * what lies before the beginning is far behind the end. */
static long gputest_at(const gputest_context* gputest, long index, ulong offset, ulong size, ulong element,
                       uint guard) {
  const ulong at = offset + (ulong)index * element;
  if (at <= size - element && size >= element)
    return index;
  gputest_report(gputest->state, GPUTEST_EVENT_OUT_OF_BOUNDS, guard);
  return -((long)offset / (long)element);
}

/* The same for an array declared with `count` elements. */
static long gputest_within(const gputest_context* gputest, long index, ulong count, uint guard) {
  if ((ulong)index < count)
    return index;
  gputest_report(gputest->state, GPUTEST_EVENT_OUT_OF_BOUNDS, guard);
  return 0;
}

/* The same for an address. */
static ulong gputest_address(const gputest_context* gputest, ulong address, ulong low, ulong size, ulong element,
                             uint guard) {
  if (address - low <= size - element && size >= element)
    return address;
  gputest_report(gputest->state, GPUTEST_EVENT_OUT_OF_BOUNDS, guard);
  return low;
}

/* Of element `index` of `pointer`, and of `unit` bytes at that many times `unit`. */
#define GPUTEST_AT(index, pointer, low, size, guard)                                                  \
  gputest_at(gputest, (long)(index), (ulong)(pointer) - (low), size, sizeof(*(pointer)), guard)
#define GPUTEST_VECTOR_AT(index, pointer, low, size, unit, guard)                                     \
  gputest_at(gputest, (long)(index), (ulong)(pointer) - (low), size, (unit), guard)

#ifndef GPUTEST_PURE
GPUTEST_RARE void gputest_iterated(volatile __global uint* state, uint iterations) {
  if (state[GPUTEST_STATE_ITERATIONS] < iterations)
    atomic_max(state + GPUTEST_STATE_ITERATIONS, iterations);
}
#endif

/* In every loop's condition. Once the budget is used up all loops end; those around barriers have a budget of
 * their own, of which all work-items of a group have used the same. */
static int gputest_counted(const gputest_context* gputest, uint* budget) {
#ifndef GPUTEST_PURE
  if (!gputest->mask)
    gputest_iterated(gputest->state, 0xffffffffu - *budget + 1);
  if (*budget == 0)
    return 0;
  if (--*budget == 0) {
    gputest_report(gputest->state, GPUTEST_EVENT_BUDGET, 0);
    return 0;
  }
#endif
  return 1;
}
#define GPUTEST_CONTINUE gputest_counted(gputest, &gputest->budget)
#define GPUTEST_CONTINUE_TOGETHER gputest_counted(gputest, &gputest->together)

#if GPUTEST_VOTING
static void gputest_report_vote(__global uint* state, uint vote) {
  gputest_report(state, GPUTEST_EVENT_DIVERGENCE, GPUTEST_GUARDS + 1 + vote);
}
#endif

#define GPUTEST_ENTER                                                                               \
  GPUTEST_ENTER_VOTES                                                                               \
  gputest_context gputest_context_ = {gputest_state,                                                \
                                      gputest_state[GPUTEST_STATE_ACTIVE],                          \
                                      gputest_state[GPUTEST_STATE_TRACE] ? 0 : 0xffffffffu,         \
                                      gputest_state[GPUTEST_STATE_BUDGET],                          \
                                      gputest_state[GPUTEST_STATE_BUDGET],                          \
                                      gputest_state[GPUTEST_STATE_ORDER] GPUTEST_BALLOTS};          \
  gputest_context* gputest = &gputest_context_;
#define GPUTEST_SIZE(argument)                                 \
  (gputest_state[GPUTEST_SIZES + 2 * (argument)] |             \
   (ulong)gputest_state[GPUTEST_SIZES + 2 * (argument) + 1] << 32)

/* ---- the order of work-items ---- */

#ifndef GPUTEST_PURE
/* Order 1 is the reverse, others are strides through all of `count`; a stride that is a prime and no divisor
 * visits each once. */
static ulong gputest_permuted(ulong at, ulong count, uint order) {
  const ulong stride = count % 7919 ? 7919 : 104729;
  return order == 1 ? count - 1 - at : (at * stride + order * 31ul) % count;
}

/* Of position `at` in a box of x * y * z. */
static size_t gputest_coordinate(ulong at, ulong x, ulong y, uint dimension) {
  return dimension == 0 ? at % x : dimension == 1 ? at / x % y : dimension == 2 ? at / x / y : 0;
}

GPUTEST_RARE size_t gputest_ordered_local_id(uint dimension, uint order) {
  const ulong x = get_local_size(0), y = get_local_size(1), z = get_local_size(2);
  const ulong at = (get_local_id(2) * y + get_local_id(1)) * x + get_local_id(0);
  return gputest_coordinate(gputest_permuted(at, x * y * z, order), x, y, dimension);
}

GPUTEST_RARE size_t gputest_ordered_group_id(uint dimension, uint order) {
  const ulong x = get_num_groups(0), y = get_num_groups(1), z = get_num_groups(2);
  const ulong at = (get_group_id(2) * y + get_group_id(1)) * x + get_group_id(0);
  return gputest_coordinate(gputest_permuted(at, x * y * z, order), x, y, dimension);
}

GPUTEST_RARE size_t gputest_ordered_global_id(uint dimension, uint order) {
  return get_global_offset(dimension) + gputest_ordered_group_id(dimension, order) * get_local_size(dimension) +
         gputest_ordered_local_id(dimension, order);
}

static size_t gputest_local_id(const gputest_context* gputest, uint dimension) {
  return gputest->order ? gputest_ordered_local_id(dimension, gputest->order) : get_local_id(dimension);
}
static size_t gputest_group_id(const gputest_context* gputest, uint dimension) {
  return gputest->order ? gputest_ordered_group_id(dimension, gputest->order) : get_group_id(dimension);
}
static size_t gputest_global_id(const gputest_context* gputest, uint dimension) {
  return gputest->order ? gputest_ordered_global_id(dimension, gputest->order) : get_global_id(dimension);
}

/* From here on the author's text means the ordered ids. */
#define get_local_id(dimension) gputest_local_id(gputest, dimension)
#define get_group_id(dimension) gputest_group_id(gputest, dimension)
#define get_global_id(dimension) gputest_global_id(gputest, dimension)
#endif
