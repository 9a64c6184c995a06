// Vector conditions choose component by component: an outcome occurs if a component has it.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int4 v = (int4)(in[i], 1, 2, 3);
  int4 w = v > (int4)(1) ? v : -v;
  int4 both = v && w;
  w += !both;
  if (any(w < 0)) w.x = 1;
  const uchar3 bytes = convert_uchar3(v.xyz);
  const uchar3 chosen = bytes ? bytes : (uchar3)(7);
  if (all(!(v.xy || w.xy)) || any(convert_float2(v.zw) == 3.0f)) w.y = 2;
  w.z = select(w.y, v.x, in[i] > 3) + chosen.x + select(v, w, convert_uint4(v == w)).s2;
  w.w = in[i] ?: 9;
  w.xy += (int2)(in[i], -1) ?: v.zw;
  const sampler_t unused = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  const int sizes[2] = {in[i] > 1 ? 3 : 4, sizeof(in[i] ? 1 : 2)};
  out[i] = w.x + w.y + w.z + w.w + as_int(in[i] > 2 ? 1.0f : 2.0f) + sizes[0] + sizes[1];
}
