// What ARGUMENTS and REQUIRE say of it makes the marked outcomes impossible.
kernel void required(global int* out, int n, int mode, float rate) {
  int i = get_global_id(0);
  if (i >= n) // true
    return;
  if (mode == 3) // true
    out[i] = 1;
  if (get_local_size(0) > 8) // true
    out[i] = 2;
  if (rate < 0.5f) // true
    out[i] = 3;
  if (mode == 1)
    out[i] = 4;
}

// An input with which the loop never begins does not come that far.
kernel void entered(global int* out, int n) {
  int i = get_global_id(0);
  if (i < n)
    for (int j = 0; j < n; ++j)
      out[i] += j;
}
