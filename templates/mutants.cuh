// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Holds all mutants of the device code of a CUDA file, one of which is active.
 *
 * Each execution of a function counts the iterations of its loops. A mutant that uses up its budget of
 * iterations in one function ends the kernel. On a GPU, an execution also reads the number of the active
 * mutant once, and gathers the sites that it reaches, in variables of its own, which are registers there.
 * In the simulator, where threads leave their variables in memory at each barrier, sites read the state;
 * so do sites of a function without such variables (the initialisers of a constructor). The pass
 * defines, before this text:
 *   GPUTEST_GPU            if this is for a GPU
 *   GPUTEST_STATE          the name of the state, unique in a program
 *   GPUTEST_ACTIVE         the number of the active mutant; 0: the original; 0xffffffff: the
 *                          original, and sites that are reached set their bits
 *   GPUTEST_BUDGET         the budget; 0: no limit
 *   GPUTEST_ITERATIONS     the word that gets the most iterations
 *   GPUTEST_EVENTS         the word that gets 2 when a budget is used up
 *   GPUTEST_TOLD           the address of a second word for events, outside of device memory; or 0
 *   GPUTEST_FIRST          the state's first word of bits
 *   GPUTEST_REACHED_WORDS  number of those words
 * On the host, device code is the original.
 *
 * GPUTEST_PURE is for comparing the code of mutants: the active mutant is an undefined constant, nothing is recorded,
 * and iterations do not count.
 */
#ifdef GPUTEST_PURE
extern "C" {
extern __constant__ unsigned gputest_active;
}
static __host__ __device__ __forceinline__ bool gputest_any(unsigned, unsigned first, unsigned count) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return gputest_active - first < count;
#else
  return false;
#endif
}
static __host__ __device__ __forceinline__ bool gputest_is(unsigned number) { return gputest_any(0, number, 1); }
#define GPUTEST_FUNCTION(first, count)
#define GPUTEST_ITERATION
#else
#ifndef GPUTEST_STATE_IS_BUFFER
extern "C" {
__device__ unsigned GPUTEST_STATE[GPUTEST_FIRST + GPUTEST_REACHED_WORDS];
}
#endif

#ifdef GPUTEST_GPU
#define GPUTEST_RARE __forceinline__ /* a call, even if nobody makes it, would take registers from the function */
#else
#define GPUTEST_RARE __noinline__
#endif

static __device__ GPUTEST_RARE void gputest_reach(unsigned word, unsigned bits) {
  if (bits & ~*static_cast<volatile unsigned*>(GPUTEST_STATE + GPUTEST_FIRST + word))
    atomicOr(GPUTEST_STATE + GPUTEST_FIRST + word, bits);
}

/* A GPU's threads leave the kernel one by one, and the host reads the events: after a trap the process could not use
 * the GPU any more. */
static __device__ GPUTEST_RARE void gputest_leave() {
#if defined(GPUTEST_GPU) && !defined(__GPUTEST_CUDA__)
  asm volatile("exit;");
#else
  __trap();
#endif
}

static __device__ GPUTEST_RARE void gputest_end(unsigned active) {
  if (active == 0 || active == 0xffffffffu)
    return;
  atomicOr(GPUTEST_STATE + GPUTEST_EVENTS, 2u);
  if (volatile unsigned* const told = reinterpret_cast<volatile unsigned*>(GPUTEST_TOLD)) {
    *told = 2;
    __threadfence_system();
  }
  gputest_leave();
}

/* Functions that gather sites hide these functions by variables, so that all sites have the same text. */
static __host__ __device__ __forceinline__ bool gputest_any(unsigned site, unsigned first, unsigned count) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  const unsigned active = GPUTEST_ACTIVE;
  if (active - first < count)
    return true;
  if (active == 0xffffffffu)
    gputest_reach(site / 32, 1u << site % 32);
  return false;
#else
  return false;
#endif
}
static __host__ __device__ __forceinline__ bool gputest_is(unsigned number) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return GPUTEST_ACTIVE == number;
#else
  return false;
#endif
}

namespace {
/* first_word, first_word + 1, ... are the words of the function's sites. Sites name them by literals, so that an
 * optimiser can turn them into variables. */
template <unsigned first_word, unsigned word_count> struct gputest_function {
  __host__ __device__ __forceinline__ gputest_function() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#ifdef GPUTEST_GPU
    active = GPUTEST_ACTIVE;
    for (unsigned i = 0; i < word_count; ++i)
      reached[i] = 0;
#else
    const unsigned active = GPUTEST_ACTIVE;
#endif
    left = active == 0xffffffffu ? 0xffffffffu : GPUTEST_BUDGET;
#endif
  }
  __host__ __device__ __forceinline__ ~gputest_function() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if (number() != 0xffffffffu)
      return;
#ifdef GPUTEST_GPU
#pragma unroll
    for (unsigned i = 0; i < word_count; ++i)
      gputest_reach(first_word + i, reached[i]);
#endif
    if (~left > *static_cast<volatile unsigned*>(GPUTEST_STATE + GPUTEST_ITERATIONS))
      atomicMax(GPUTEST_STATE + GPUTEST_ITERATIONS, ~left);
#endif
  }
  gputest_function(const gputest_function&) = delete;
  gputest_function& operator=(const gputest_function&) = delete;
  /* Whether one of the mutants `first` to `first` + `count` - 1 is active. */
  __host__ __device__ __forceinline__ bool operator()(unsigned site, unsigned first, unsigned count) {
#if defined(__CUDA_ARCH__) && defined(GPUTEST_GPU)
    reached[site / 32 - first_word] |= 1u << site % 32;
    return active - first < count;
#else
    return gputest_any(site, first, count);
#endif
  }
  __host__ __device__ __forceinline__ bool is(unsigned one) const { return number() == one; }
  __host__ __device__ __forceinline__ bool is_over() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if (left > 1) { /* 0: no limit; and counting ends with 1 */
      --left;
#ifdef GPUTEST_GPU
      if ((left & 4095u) == 0 && *static_cast<volatile unsigned*>(GPUTEST_STATE + GPUTEST_EVENTS) != 0)
        gputest_leave(); /* another thread has used up its budget: later blocks need not run */
#endif
    } else if (left == 1) {
      gputest_end(number());
    }
#endif
    return false;
  }

private:
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  __host__ __device__ __forceinline__ unsigned number() const { return 0; }
#elif defined(GPUTEST_GPU)
  __device__ __forceinline__ unsigned number() const { return active; }
  unsigned active, left, reached[word_count];
#else
  __device__ __forceinline__ unsigned number() const { return GPUTEST_ACTIVE; }
  unsigned left;
#endif
};
template <typename Function> struct gputest_number {
  const Function& function;
  __host__ __device__ __forceinline__ bool operator()(unsigned number) const { return function.is(number); }
};
} // namespace

#define GPUTEST_FUNCTION(first, count)        \
  gputest_function<first, count> gputest_any; \
  [[maybe_unused]] const gputest_number<gputest_function<first, count>> gputest_is { gputest_any }
/* Stands in front of the body of a loop. */
#define GPUTEST_ITERATION      \
  if (gputest_any.is_over()) { \
  } else
#endif
