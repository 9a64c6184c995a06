// Each work-group waits for the one before: right in the order in which devices happen to start them.
kernel void chain(volatile global int* done) {
  const int g = get_group_id(0);
  while (atomic_add(&done[g], 0) == 0)
    ;
  atomic_xchg(&done[g + 1], 1);
}
