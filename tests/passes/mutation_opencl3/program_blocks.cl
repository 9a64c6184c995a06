// Blocks at program scope have no state, nor do functions that they call; a kernel's own have it.
static int clamped(int x, int most) {
  if (x > most)
    return most;
  return x;
}
static int twice(int x) { return x > 0 ? 2 * x : 0; }
int (^const half_of)(int) = ^(int x) { return x > 4 ? clamped(x / 2, 3) : x; };
int (^const unused)(int) = ^(int x) { return x; };
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  if (in[i] > 2)
    out[i] = half_of(in[i]) + clamped(i, 2);
  else
    out[i] = twice(i);
}
