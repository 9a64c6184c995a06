// What depends on the launch's global offset: by a constant, with its size, and in two dimensions.
kernel void offsets(global int* out, int n) {
  int x = get_global_id(0) - get_global_offset(0);
  int y = get_global_id(1) - get_global_offset(1);
  int value = 1;
  if (get_global_offset(0) == 12345)
    value = 2;
  if (get_global_offset(0) * 3 == get_global_size(0) * 7 + 1)
    value += 4;
  if (get_global_id(0) == 7 && get_global_offset(0) > 2)
    value += 8;
  if (get_global_offset(1) > get_global_offset(0) + 100)
    value += 16;
  if (x < n && y == 0)
    out[x] = value;
}

// Without an offset, these ids are those of no launch that tests are generated for.
kernel void far(global int* out) {
  if (get_global_id(0) > 100000)
    out[get_local_id(0)] = 1;
}
