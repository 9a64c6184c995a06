// Writes the ids of its work-items behind each other, wherever they begin.
kernel void shifted(global int* ids, int n) {
  size_t i = get_global_id(0) - get_global_offset(0);
  if (i < n && get_global_id(0) != 9)
    ids[i] = get_global_id(0);
}
