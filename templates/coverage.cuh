/* What an instrumented CUDA file needs to record which outcomes occurred.
 *
 * Outcome bits are in a variable of the device, from which the host reads them after launches. A
 * thread writes only what is not known yet. The pass defines, before this text:
 *   GPUTEST_STATE  the name of that variable, unique in a program
 *   GPUTEST_WORDS  number of its 32-bit words
 * Functions for host and device record nothing on the host.
 */
extern "C" {
__device__ unsigned GPUTEST_STATE[GPUTEST_WORDS];
}

static __host__ __device__ __forceinline__ void gputest_hit(unsigned word, unsigned bits) {
#ifdef __CUDA_ARCH__
  /* volatile: an L1 cache keeps what it has read, and would never show what others recorded. */
  if (bits & ~*static_cast<volatile unsigned*>(GPUTEST_STATE + word))
    atomicOr(GPUTEST_STATE + word, bits);
#endif
}
/* `no` is the bit of the outcome false; that of true is the next one. */
static __host__ __device__ __forceinline__ bool gputest_decide(unsigned word, unsigned no, bool yes) {
  gputest_hit(word, yes ? no << 1 : no);
  return yes;
}
/* The condition of a loop: that it was true is known from the iterations. */
static __host__ __device__ __forceinline__ bool gputest_until(unsigned word, unsigned no, bool yes) {
  if (!yes)
    gputest_hit(word, no);
  return yes;
}

#define GPUTEST_HIT(word, bits) gputest_hit(word, bits)
#define GPUTEST_DECIDE(word, no, condition) gputest_decide(word, no, static_cast<bool>(condition))
#define GPUTEST_BRANCH(word, no, condition) GPUTEST_DECIDE(word, no, condition)
#define GPUTEST_UNTIL(word, no, condition) gputest_until(word, no, static_cast<bool>(condition))
#define GPUTEST_LOOP(loop) unsigned gputest_loop_##loop = 0
#define GPUTEST_ITERATION(loop) ++gputest_loop_##loop
#define GPUTEST_LOOP_END(loop, word, zero, one, many) \
  gputest_hit(word, gputest_loop_##loop > 1 ? many : gputest_loop_##loop ? one : zero)
/* 1 from the switch to the label that it selects. */
#define GPUTEST_SWITCH(number, value) (gputest_switches[number] = 1, (value))
#define GPUTEST_LABEL(number, word, bit)  \
  if (gputest_switches[number])           \
    gputest_hit(word, bit);               \
  gputest_switches[number] = 0
