char same(char c) { return c; }
kernel void test(global char4* c, global ushort2* v, global int* out, uchar u) {
  const int i = get_global_id(0);
  bool flag = i > 3;
  uchar s = u;
  out[0] = add_sat(c[i].x, same(c[i].y));
  out[1] = min(v[i].x, (ushort)255) + clz(s = u);
  out[4] = popcount(s += u);
  out[2] = abs(-c[i].w) + abs(~u) + abs(-i);
  out[3] = (flag = u) + convert_uchar((float)i);
}
