kernel void scale(global const int* in, global int* out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = 2 * in[i];
}
