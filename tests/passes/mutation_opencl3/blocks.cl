// Mutants in blocks, whose variables are their own: a block cannot assign those of the kernel.
kernel void work(global int* a, int n) {
  void (^count)(void) = ^{ int old = atomic_add(&a[0], n); a[1] = old; };
  count();
  for (int i = 0; i < n; ++i)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
      for (int k = i; k < n; ++k)
        a[k] += i;
      if (a[2] > n)
        return;
      a[2] = -a[3];
    });
}
