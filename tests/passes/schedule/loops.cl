// Which loops may wait for another work-item: those whose exit depends on memory, and that do not count.
uint lock(volatile global int* flag) {
  do { } while (atomic_cmpxchg(flag, 0, 1));
  return 1;
}

kernel void test(volatile global int* flags, global int* out, local int* shared, int n) {
  while (flags[n] == 0)
    ;
  for (;;)
    if (atomic_add(&flags[0], 0))
      break;
  for (int tries = 0; flags[1] == 0 && tries < n; ++tries)
    ;
  for (int i = n; i > 1; i /= 2)
    out[i] = lock(flags);
  for (uint active = n; active > 1;) {
    const uint lower = (active + 1) / 2;
    active = lower;
  }
  int seen = 0;
  while (!seen) {
    barrier(CLK_LOCAL_MEM_FENCE);
    seen = shared[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
again:
  if (out[0] == 0)
    goto again;
  while (n--)
    out[n] = 0;
}
