// As in PolyBench: right, if nj is the number of work-items in dimension 0.
kernel void short_rows(global int* out, int nj) {
  const int i = get_global_id(1), j = get_global_id(0);
  out[i * nj + j] = 100 * i + j;
}

// The row lacks the cell at its end that the last work-item reads.
kernel void past_the_end(global int* row) {
  const int i = get_global_id(0);
  row[i] += row[i + 1];
}

// Each group waits for all others.
kernel void grid_barrier(volatile global int* arrived, global int* out) {
  if (get_local_id(0) == 0) {
    atomic_inc(&arrived[0]);
    while (atomic_add(&arrived[0], 0) < (int)get_num_groups(0))
      ;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}

// Where group 0 is not the first, there is nothing behind the pointer.
kernel void null_pointer(volatile global int* order, global int* out) {
  const bool first = get_group_id(0) == 0;
  if (first)
    order[0] = 1;
  global int* to = order[0] ? out : (global int*)0;
  to[get_global_id(0)] = 1;
}

kernel void assembly(global int* out) {
  int id;
  __asm__ volatile("mov $1, %0" : "=r"(id));
  out[get_global_id(0)] = id;
}

kernel void too_many(global int* out) {
  if (get_global_id(0) == 0)
    out[0] = 1;
}
