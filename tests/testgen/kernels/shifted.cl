// Without an offset, ids are below the size.
kernel void shifted(global int* out, int n) {
  if (get_global_id(0) >= get_global_size(0))
    out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = n;
}
