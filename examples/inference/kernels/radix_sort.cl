// Sorts the keys of each work-group with their values, bit by bit: ballots count within sub-groups.
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#define MOST_SUB_GROUPS 8

__attribute__((intel_reqd_sub_group_size(8)))
kernel void radix_sort(global uint* keys, global ushort* values, int n, local uint* sorted_keys,
                       local ushort* sorted_values) {
  local uint zeros_before[MOST_SUB_GROUPS + 1];
  const uint item = get_local_id(0), at = get_global_id(0);
  const uint part = get_sub_group_id(), parts = get_num_sub_groups();
  uint key = at < n ? keys[at] : UINT_MAX;
  ushort value = at < n ? values[at] : 0;

  for (uint bit = 0; bit < 32; ++bit) {
    const bool one = key >> bit & 1;
    const uint4 zeros = sub_group_ballot(!one);
    const uint before = sub_group_ballot_exclusive_scan(zeros);
    if (sub_group_elect())
      zeros_before[part + 1] = sub_group_ballot_bit_count(zeros);
    if (item == 0)
      zeros_before[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
      for (uint i = 0; i < parts; ++i)
        zeros_before[i + 1] += zeros_before[i];
#ifndef NO_BARRIER
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    const uint zeros_here = zeros_before[part] + before;
    const uint to = one ? zeros_before[parts] + item - zeros_here : zeros_here;
    sorted_keys[to] = key;
    sorted_values[to] = value;
#ifdef SUB_GROUP_BARRIER
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#else
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    key = sorted_keys[item];
    value = sorted_values[item];
  }
  if (at < n) {
    keys[at] = key;
    values[at] = value;
  }
}
