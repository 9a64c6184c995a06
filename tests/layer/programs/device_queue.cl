kernel void doubled(global int* values, int n, queue_t own) {
  enqueue_kernel(own, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), ^{
    values[get_global_id(0)] *= FACTOR;
  });
}
