// Decisions that a barrier depends on are voted on, and loops around barriers have a budget of their own.
kernel void test(global int* out, local int* shared, int n) {
  const int i = get_local_id(0);
  for (int s = n; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < i; ++k)
      shared[i] += k;
  }
  if (i < n)
    barrier(CLK_LOCAL_MEM_FENCE);
  if (get_group_id(0) == 1)
    return;
  switch (n) {
  case 1:
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  do {
    barrier(CLK_GLOBAL_MEM_FENCE);
  } while (out[0] < n);
  out[i] = shared[i];
}
