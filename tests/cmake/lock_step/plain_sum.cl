// The same sum by sub-groups of 16 work-items, one of which is there.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void plain_sum(global const int* in, global int* out, int most) {
  int part = 0;
  for (int i = get_global_id(0); i < 64; i += 16)
    part += in[i];
  const int sum = sub_group_reduce_add(part);
  if (get_global_id(0) == 0)
    out[0] = sum > most ? most : sum;
}
