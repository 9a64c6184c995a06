#define X get_global_id(0)
kernel void test(global int* out) {
  const uint d = 1;
  const size_t x = X, y = get_global_id(1), l = get_local_id(d), g = get_group_id(0);
  out[y * get_global_size(0) + x] = l + g * get_local_size(1) + get_num_groups(0);
  out[0] = get_work_dim() + get_global_offset(0);
}
