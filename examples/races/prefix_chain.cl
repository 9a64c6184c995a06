#define PART 16

// Inclusive prefix sums of all of `data` in one launch: each work-group waits for the sum of the
// parts before its own. before[0] is 0 and ready[0] is 1 from the beginning.
kernel void prefix_chain(global const int* data, global int* sums, volatile global int* before,
                         volatile global int* ready, volatile global int* tickets) {
  local int part[PART];
  local int group, carry;
  const uint lid = get_local_id(0);
  if (lid == 0)
#ifdef FIXED
    group = atomic_inc(tickets); // the groups before this one have begun
#else
    group = get_group_id(0); // the groups before this one may never run, as long as this one waits
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  part[lid] = data[group * PART + lid];
  barrier(CLK_LOCAL_MEM_FENCE);

  if (lid == 0) {
    for (uint i = 1; i < PART; ++i)
      part[i] += part[i - 1];
    while (atomic_add(&ready[group], 0) == 0)
      ;
    carry = atomic_add(&before[group], 0);
    atomic_xchg(&before[group + 1], carry + part[PART - 1]);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(&ready[group + 1], 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[group * PART + lid] = carry + part[lid];
}
