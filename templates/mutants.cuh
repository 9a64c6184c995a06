/* What a CUDA file needs to hold all mutants of its device code, one of which is active.
 *
 * The pass defines, before this text:
 *   GPUTEST_STATE          the name of the state, unique in a program
 *   GPUTEST_ACTIVE         the number of the active mutant; 0: the original; 0xffffffff: the
 *                          original, and sites that are reached set their bits
 *   GPUTEST_FIRST          the state's first word of such bits
 *   GPUTEST_REACHED_WORDS  number of those words
 * On the host device code is the original's.
 */
extern "C" {
__device__ unsigned GPUTEST_STATE[GPUTEST_FIRST + GPUTEST_REACHED_WORDS];
}

static __device__ __noinline__ void gputest_reach(unsigned site) {
  volatile unsigned* word = GPUTEST_STATE + GPUTEST_FIRST + site / 32;
  if (!(*word & 1u << site % 32))
    atomicOr(GPUTEST_STATE + GPUTEST_FIRST + site / 32, 1u << site % 32);
}

/* Whether one of `count` mutants is active, of which the first has the number `first`. */
static __host__ __device__ __forceinline__ bool gputest_any(unsigned site, unsigned first, unsigned count) {
#ifdef __CUDA_ARCH__
  const unsigned active = GPUTEST_ACTIVE;
  if (active - first < count)
    return true;
  if (active == 0xffffffffu)
    gputest_reach(site);
#endif
  return false;
}

static __host__ __device__ __forceinline__ bool gputest_is(unsigned number) {
#ifdef __CUDA_ARCH__
  return GPUTEST_ACTIVE == number;
#else
  return false;
#endif
}
