// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lets work-items vote on decisions that a barrier depends on. The text before this defines GPUTEST_VOTES, the number
 * of such decisions; GPUTEST_PURE drops the votes. The text after this has the state in `gputest->state` and the votes
 * in `gputest->votes`, which GPUTEST_ENTER_VOTES prepares and GPUTEST_BALLOTS initialises. */
#if GPUTEST_VOTES && !defined(GPUTEST_PURE)
#define GPUTEST_VOTING 1
/* Blocks have no variables in local memory, so they vote by functions of work-groups; their ballots are null. A device
 * may lack these. */
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_work_group_collective_functions)
#define GPUTEST_ANY_IN_BLOCK(yes) work_group_any(yes)
#define GPUTEST_ALL_IN_BLOCK(yes) work_group_all(yes)
#define GPUTEST_FIRST_IN_BLOCK(value) work_group_broadcast(value, 0, 0, 0)
#else
#define GPUTEST_ANY_IN_BLOCK(yes) 0
#define GPUTEST_ALL_IN_BLOCK(yes) 1
#define GPUTEST_FIRST_IN_BLOCK(value) (value)
#endif

typedef struct {
  __local uint* ballots; /* three ballots of two words: somebody said no, somebody said yes */
  uint ballot;           /* the one that comes next */
  uint diverged;         /* this group has disagreed once: later votes are not reported */
} gputest_votes;

/* Reports that a group disagreed. Called at most once for each group. */
GPUTEST_STATIC void gputest_report_vote(__global uint* state, uint vote);

/* All work-items of the group come here together. Returns whether they disagree. */
GPUTEST_STATIC int gputest_disagree(gputest_votes* votes, int yes) {
#ifdef GPUTEST_BLOCKS
  if (!votes->ballots)
    return GPUTEST_ANY_IN_BLOCK(yes) && !GPUTEST_ALL_IN_BLOCK(yes);
#endif
  const uint next = votes->ballot == 2 ? 0 : votes->ballot + 1;
  votes->ballots[2 * votes->ballot + yes] = 1;
  /* Everybody has left the next ballot: it was read before the barrier of the last vote. */
  votes->ballots[2 * next] = 0;
  votes->ballots[2 * next + 1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int differ = votes->ballots[2 * votes->ballot] && votes->ballots[2 * votes->ballot + 1];
  votes->ballot = next;
  return differ;
}

/* All come here together. If they disagree, all go on with `instead`, so that no barrier is ever
 * reached by some of them only. Barriers stay unconditional, because compilers that form work-item
 * loops copy what follows a conditional one. */
GPUTEST_STATIC int gputest_vote(gputest_votes* votes, __global uint* state, uint vote, int instead, int yes) {
  if (!gputest_disagree(votes, yes))
    return yes;
  if (!votes->diverged)
    gputest_report_vote(state, vote);
  votes->diverged = 1;
  return instead;
}

/* The same for a value: one work-item's value is chosen, then all compare theirs with it. */
GPUTEST_STATIC long gputest_vote_value(gputest_votes* votes, __global uint* state, uint vote, long mine) {
  long common;
#ifdef GPUTEST_BLOCKS
  if (!votes->ballots)
    common = GPUTEST_FIRST_IN_BLOCK(mine);
  else
#endif
  {
    __local long* chosen = (__local long*)(votes->ballots + 6);
    barrier(CLK_LOCAL_MEM_FENCE);
    *chosen = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    common = *chosen;
  }
  gputest_vote(votes, state, vote, 0, common == mine);
  return common;
}

#define GPUTEST_VOTE(vote, instead, condition) \
  gputest_vote(&gputest->votes, gputest->state, vote, instead, (condition) != 0)
#define GPUTEST_VOTE_VALUE(vote, value) \
  gputest_vote_value(&gputest->votes, gputest->state, vote, (value))
#define GPUTEST_BALLOTS , {(__local uint*)gputest_ballots, 0, 0}
#define GPUTEST_ENTER_VOTES                        \
  __local ulong gputest_ballots[4];                \
  ((__local uint*)gputest_ballots)[0] = 0;         \
  ((__local uint*)gputest_ballots)[1] = 0;         \
  barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GPUTEST_VOTING 0
#define GPUTEST_VOTE(vote, instead, condition) (condition)
#define GPUTEST_VOTE_VALUE(vote, value) (value)
#define GPUTEST_BALLOTS
#define GPUTEST_ENTER_VOTES
#endif
