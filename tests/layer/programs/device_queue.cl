kernel void doubled(global int* values, int n) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), ^{
    values[get_global_id(0)] *= FACTOR;
  });
}
