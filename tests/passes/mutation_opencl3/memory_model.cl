kernel void test(global atomic_int* flag, global int* data) {
  atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_all_svm_devices) == 0)
    ;
  atomic_fetch_add_explicit(flag, 2, memory_order_relaxed, memory_scope_work_group);
  int expected = 3;
  atomic_compare_exchange_strong_explicit(flag, &expected, 4, memory_order_acq_rel,
                                          memory_order_relaxed, memory_scope_device);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  data[0] = atomic_load(flag);
}
