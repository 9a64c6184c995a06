// Blocks have contexts of their own: what enqueues one may run it when the kernel has ended.
int half_of(int x) { return x > 3 ? x / 2 : x; }

kernel void work(global int* a, int n) {
  int x = get_global_id(0);
  int (^pick)(int) = ^(int p) {
    if (p > n)
      return p - n;
    return half_of(p);
  };
  a[x] = pick(x);
  if (x == 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{
      for (int i = 0; i < n; ++i)
        if (get_global_id(0) % 2 && a[get_global_id(0)] < 100)
          break;
      do {
        if (n == 7)
          return;
      } while (a[0] > n);
      void (^inner)(void) = ^{ a[1] = n; };
      inner();
    });
}
