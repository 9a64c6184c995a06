// Sums up a list in halves, each by a block that the one before enqueues; FAULT takes one too few.
int clipped(int x, int most) { return x > most ? most : x; }

kernel void total(global int* values, global int* sums, int n, int most) {
  if (get_global_id(0) > 0)
    return;
  int (^const limit)(int) = ^(int x) { return clipped(x, most); };
  sums[0] = limit(values[0]);
  clk_event_t halved;
  int half_size = n / 2;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,
                 ndrange_1D(half_size - FAULT), 0, NULL, &halved, ^{
    int i = get_global_id(0);
    values[i] = clipped(values[i], most) + clipped(values[i + half_size], most);
  });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &halved,
                 NULL, ^{
    int sum = 0;
    for (int i = 0; i < half_size; ++i)
      sum += values[i];
    sums[1] = sum;
  });
  release_event(halved);
}

// Each work-group of a block adds up a tile. With FAULT, its last work-item misses a barrier.
int folded(local int* part, int n) {
  int me = get_local_id(0);
  if (me >= n - FAULT)
    return 0;
  for (int step = n / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < step)
      part[me] += part[me + step];
  }
  return part[0];
}

kernel void tiled(global int* values, global int* sums, int n) {
  if (get_global_id(0) == 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2 * n, n),
                   ^(local void* memory) {
      local int* part = memory;
      part[get_local_id(0)] = values[get_global_id(0)];
      int sum = folded(part, n);
      if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
    }, 32u);
}

// Two blocks that no event orders.
kernel void unordered(global int* values) {
  if (get_global_id(0) > 0)
    return;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ values[0] += 1; });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ values[0] *= 3; });
}
