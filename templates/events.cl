// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lets kernels report errors, and ends endless loops by a budget. GPUTEST_PURE is for comparing the code of mutants:
 * events are calls, and there is no budget. */
#define GPUTEST_RARE __attribute__((noinline)) GPUTEST_STATIC

#ifdef GPUTEST_PURE
void gputest_event(uint event);
#define gputest_report(state, event, guard) gputest_event(event)
#else
GPUTEST_RARE void gputest_report(volatile __global uint* state, uint event, uint guard) {
  /* Harm that the original does as well is not reported for a mutant. */
  if (state[GPUTEST_STATE_HARM] && guard) {
    volatile __global uint* harm = state + state[GPUTEST_STATE_HARM] + guard / 32;
    if (state[GPUTEST_STATE_TRACE])
      atomic_or(harm, 1u << guard % 32);
    else if (*harm >> guard % 32 & 1)
      return;
  }
  atomic_or(state + GPUTEST_STATE_EVENTS, event);
  state[GPUTEST_STATE_GUARD] = guard;
}

GPUTEST_RARE void gputest_iterated(volatile __global uint* state, uint iterations) {
  if (state[GPUTEST_STATE_ITERATIONS] < iterations)
    atomic_max(state + GPUTEST_STATE_ITERATIONS, iterations);
}
#endif

/* In a loop's condition; 0 ends the loop. A budget that is used up ends all its loops. `mask`: 0 while tracing. */
GPUTEST_STATIC int gputest_counted(__global uint* state, uint mask, uint* budget, uint guard) {
#ifndef GPUTEST_PURE
  if (!mask)
    gputest_iterated(state, state[GPUTEST_STATE_BUDGET] - *budget + 1);
  if (*budget == 0)
    return 0;
  if (--*budget == 0) {
    gputest_report(state, GPUTEST_EVENT_BUDGET, guard);
    return 0;
  }
#endif
  return 1;
}
