// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Records which outcomes occurred in an instrumented OpenCL kernel.
 *
 * Each work-item gathers outcome bits in private words and adds them to the state buffer once, when
 * it leaves the kernel. The pass defines, before this text:
 *   GPUTEST_WORDS     number of 32-bit words of outcome bits
 *   GPUTEST_OPEN_LOOPS  number of loops into which control jumps, at least 1
 *   GPUTEST_SWITCHES  number of switch statements with fallthrough, at least 1
 *   GPUTEST_VOTES     number of decisions that work-items of a group must agree on
 */
typedef struct {
  __global uint* state;
  uint words[GPUTEST_WORDS];
  uint open_loops[GPUTEST_OPEN_LOOPS]; /* 0: never entered; else 1 + iterations of the latest execution */
  uint switches[GPUTEST_SWITCHES]; /* 1 from the switch to the label it selects */
#if GPUTEST_VOTING
  gputest_votes votes;
#endif
} gputest_context;

/* Runs about once per bit and launch. Inlined: a call on the path of every work-item would cost GPUs more. */
GPUTEST_STATIC void gputest_publish(volatile __global uint* word, uint bits) {
  atomic_or(word, bits);
}

#ifdef GPUTEST_FLUSH_SLOTS
/* Each work-item has words of its own, so that a compiler can vectorise across work-items. */
GPUTEST_STATIC void gputest_flush(const gputest_context* gputest, uint word) {
  const size_t size = get_global_size(0) * get_global_size(1) * get_global_size(2);
  const size_t item =
      ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) -
       get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
  gputest->state[GPUTEST_STATE_HEADER_WORDS + GPUTEST_WORDS + GPUTEST_VOTES + word * size + item] =
      gputest->words[word];
}
#else
GPUTEST_STATIC void gputest_flush(const gputest_context* gputest, uint word) {
  /* volatile: a GPU's L1 cache keeps old values, and would never show bits that others published. */
  volatile __global uint* known = gputest->state + GPUTEST_STATE_HEADER_WORDS + word;
  if (gputest->words[word] & ~*known)
    gputest_publish(known, gputest->words[word]);
}
#endif

/* Where all work-items of a group meet before the end of a kernel with barriers within conditions. */
#define GPUTEST_MEET barrier(CLK_LOCAL_MEM_FENCE)

/* `no` is the bit of the outcome false; that of true is the next one. */
GPUTEST_STATIC int gputest_decide(uint* word, uint no, int yes) {
  *word |= no << yes;
  return yes;
}

/* Classifies the latest execution of an open loop: bits zero, one and many are adjacent. */
GPUTEST_STATIC void gputest_open_loop_end(uint* word, uint zero, uint iterations) {
  *word |= iterations == 0 ? 0 : zero << min(iterations - 1, 2u);
}

#define GPUTEST_HIT(word, bit) gputest->words[word] |= bit
/* Records a decision: DECIDE computes the bit, BRANCH sets one on each side. On CPUs a bit on each side costs next
 * to nothing; GPUs are faster with computed bits. The host defines GPUTEST_ON_CPU. */
#define GPUTEST_DECIDE(word, no, condition) \
  gputest_decide(&gputest->words[word], no, (condition) != 0)
/* GPUTEST_UNTIL is for the condition of a loop: the iterations tell whether it was true. */
#ifdef GPUTEST_ON_CPU
#define GPUTEST_BRANCH(word, no, condition)                  \
  ((condition) != 0 ? (gputest->words[word] |= (no) << 1, 1) \
                    : (gputest->words[word] |= (no), 0))
#define GPUTEST_UNTIL(word, no, condition) \
  ((condition) != 0 ? 1 : (gputest->words[word] |= (no), 0))
#else
GPUTEST_STATIC int gputest_until(uint* word, uint no, int yes) {
  *word |= yes ? 0 : no;
  return yes;
}
#define GPUTEST_BRANCH(word, no, condition) GPUTEST_DECIDE(word, no, condition)
#define GPUTEST_UNTIL(word, no, condition) \
  gputest_until(&gputest->words[word], no, (condition) != 0)
#endif

/* Functions that record a decision and return its value, each for a type of the kernel. In `?:` on vectors, any(), all()
 * and select(), a component decides by its highest bit; `as_signed` makes an integer's type signed. In !, && and ||, and
 * in scalars, what is not 0 is true. */
#define GPUTEST_SIGNS(type, as_signed)                                            \
  GPUTEST_STATIC type gputest_signs_##type(uint* word, uint no, type value) {     \
    *word |= (any(as_signed(value)) ? no << 1 : 0) | (all(as_signed(value)) ? 0 : no); \
    return value;                                                                 \
  }
#define GPUTEST_VALUES(type)                                                          \
  GPUTEST_STATIC type gputest_values_##type(uint* word, uint no, type value) {        \
    *word |= (any(value != (type)(0)) ? no << 1 : 0) | (all(value != (type)(0)) ? 0 : no); \
    return value;                                                                     \
  }
#define GPUTEST_VALUE(type)                                                   \
  GPUTEST_STATIC type gputest_value_##type(uint* word, uint no, type value) { \
    *word |= value != 0 ? no << 1 : no;                                       \
    return value;                                                             \
  }

/* Classifies a loop before it runs: `first` and `second` tell whether it will have these iterations.
 * An expression, so that declarations can contain it. */
#define GPUTEST_COUNTED(word, zero, one, many, first, second) \
  (gputest->words[word] |= !(first) ? (zero) : !(second) ? (one) : (many), 0)

#define GPUTEST_LOOP(loop) uint gputest_loop_##loop = 0
#define GPUTEST_ITERATION(loop) ++gputest_loop_##loop
#define GPUTEST_LOOP_END(loop, word, zero, one, many) \
  gputest->words[word] |= gputest_loop_##loop > 1 ? many : gputest_loop_##loop ? one : zero

#define GPUTEST_OPEN_LOOP(loop, word, zero)                                         \
  gputest_open_loop_end(&gputest->words[word], zero, gputest->open_loops[loop]); \
  gputest->open_loops[loop] = 1
#define GPUTEST_OPEN_ITERATION(loop) gputest->open_loops[loop]++
#define GPUTEST_OPEN_LOOP_END(loop, word, zero) \
  gputest_open_loop_end(&gputest->words[word], zero, gputest->open_loops[loop])

#define GPUTEST_SWITCH(number, value) (gputest->switches[number] = 1, (value))
#define GPUTEST_LABEL(number, word, bit)                              \
  gputest->words[word] |= gputest->switches[number] ? (bit) : 0; \
  gputest->switches[number] = 0

#if GPUTEST_VOTING
GPUTEST_STATIC void gputest_report_vote(__global uint* state, uint vote) {
  state[GPUTEST_STATE_HEADER_WORDS + GPUTEST_WORDS + vote] =
      1 + (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
                 get_group_id(0));
}
#endif

#define GPUTEST_ENTER(buffer)                                                \
  GPUTEST_ENTER_VOTES                                                        \
  gputest_context gputest_context_ = {buffer, {0}, {0}, {0} GPUTEST_BALLOTS}; \
  gputest_context* gputest = &gputest_context_;

/* A block has words of its own: it may run when the kernel has ended. */
#define GPUTEST_ENTER_BLOCK(buffer)          \
  gputest_context gputest_context_ = {buffer}; \
  gputest_context* gputest = &gputest_context_;

/* The outcomes that are known when a group begins, for copies of loops that record nothing. Every work-item writes
 * them, and all read the words of the last one. On GPUs a copy would cost more than it saves. */
#ifdef GPUTEST_ON_CPU
#define GPUTEST_KNOWN(word, mask) ((gputest_known[word] & (mask)) == (mask))
#define GPUTEST_ENTER_KNOWING(buffer)                                                \
  __local uint gputest_known[GPUTEST_WORDS];                                         \
  for (uint gputest_word = 0; gputest_word < GPUTEST_WORDS; ++gputest_word)          \
    gputest_known[gputest_word] = buffer[GPUTEST_STATE_HEADER_WORDS + gputest_word]; \
  barrier(CLK_LOCAL_MEM_FENCE);                                                      \
  GPUTEST_ENTER(buffer)
#else
#define GPUTEST_KNOWN(word, mask) 0
#define GPUTEST_ENTER_KNOWING(buffer) GPUTEST_ENTER(buffer)
#endif
