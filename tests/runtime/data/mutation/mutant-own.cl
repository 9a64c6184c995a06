/* A mutant that cannot be switched, and is killed. */
kernel void scale(global const int* in, global int* out, int n, global uint* state) {
  const int i = get_global_id(0);
  if (i < n)
    out[i] = in[i];
}
