// Vector conditions choose component by component: named, not instrumented.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int4 v = (int4)(in[i], 1, 2, 3);
  int4 w = v > (int4)(1) ? v : -v;
  int4 both = v && w;
  w += !both;
  if (any(w < 0)) w.x = 1;
  const sampler_t unused = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  const int sizes[2] = {in[i] > 1 ? 3 : 4, sizeof(in[i] ? 1 : 2)};
  out[i] = w.x + w.y + as_int(in[i] > 2 ? 1.0f : 2.0f) + sizes[0] + sizes[1];
}
