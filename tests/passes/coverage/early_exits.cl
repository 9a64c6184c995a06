// What follows a return, break or continue runs only when that was not taken.
int first_multiple(int from, int of) {
  for (int k = from; k < from + 40; ++k)
    if (k % of == 0)
      return k;
  return -1;
}

kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  out[i] = 0;
  if (in[i] < 0)
    return;
  out[i] = 1;
  if (in[i] == 7) {
    out[i] = 2;
    return;
  }
  for (int k = 0; k < 5; ++k) {
    if (k == in[i]) { out[i] = 3; return; }
    out[i] += k;
  }
  out[i] += first_multiple(in[i] + 1, 50);
}
