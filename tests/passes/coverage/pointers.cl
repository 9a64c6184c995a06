// ?: without a middle whose condition is a pointer.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  global const int* given = in[i] > 3 ? in : 0;
  global const int* found = given ?: in + 1;
  out[i] = found[i & 3];
}
