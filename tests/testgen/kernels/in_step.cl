// For numbers of work-items that run in lock step, and groups that have as many or fewer.
kernel void same_value(global const int* in, global int* out) {
  if (in[0] > 3)
    out[get_group_id(0)] = 1;
}

__attribute__((reqd_work_group_size(8, 2, 1)))
kernel void of_16(global const int* in, global int* out) {
  const int i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  if (in[i] > 3)
    out[i] = 1;
}
