// Conditions on sizes of the launch that no list of usual sizes has: for the solver.
kernel void sizes(global uint* out, uint n) {
  const uint i = get_global_id(0);
  uint value = i;
  if (get_global_size(0) == 3 * 67)
    value += 1;
  if (get_num_groups(0) == 19 && n * 5 == get_global_size(0) + 1)
    value += 2;
  if (get_local_size(0) * get_local_size(0) == 1369)
    value += 4;
  out[i] = value;
}
