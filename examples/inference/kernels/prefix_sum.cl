// Prefix sums in one pass: a group takes a ticket, and adds what the groups before it have published.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define MOST_SUB_GROUPS 16
#ifdef SMALL_SCOPE
#define SCOPE memory_scope_work_group
#else
#define SCOPE memory_scope_device
#endif
#ifdef NO_RELEASE
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

kernel void prefix_sum(global const int* in, global int* out, int n, global atomic_uint* ticket,
                       global atomic_uint* ready, global int* totals) {
  local uint group_of_ticket;
  local int before_group, parts[MOST_SUB_GROUPS];
  const uint item = get_local_id(0);
  if (item == 0)
    group_of_ticket = atomic_fetch_add_explicit(ticket, 1u, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint group = group_of_ticket;
  const uint at = group * get_local_size(0) + item;

  const int value = at < n ? in[at] : 0;
  const int inclusive = sub_group_scan_inclusive_add(value);
#ifdef LAST_LANE_32
  if (get_sub_group_local_id() == 31)
#else
  if (get_sub_group_local_id() == get_sub_group_size() - 1)
#endif
    parts[get_sub_group_id()] = inclusive;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = inclusive, total = 0;
  for (uint i = 0; i < get_num_sub_groups(); ++i) {
    if (i < get_sub_group_id())
      sum += parts[i];
    total += parts[i];
  }

  if (item == 0) {
    int before = 0;
    if (group > 0) {
      while (atomic_load_explicit(&ready[group - 1], memory_order_acquire, SCOPE) == 0)
        ;
      before = totals[group - 1];
    }
    totals[group] = before + total;
    atomic_store_explicit(&ready[group], 1u, PUBLISH, SCOPE);
    before_group = before;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (at < n)
    out[at] = before_group + sum;
}
