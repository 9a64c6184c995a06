// Operands of && || !, nested, in conditions, in values, with side effects and commas.
int positive(int x) { return x > 0 ? 1 : 0; }

kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = in[i], y = in[i] / 3;
  float f = x * 0.5f;
  global const int* p = x > 2 ? in : 0;
  int r = 0;
  if (x > 1 && y < 4) r |= 1;
  if (x > 1 && y < 4 || !positive(x - 5)) r |= 2;
  if (!(x && f) || (y, x == 3)) r |= 4;
  if (p && *p >= 0) r |= 8;
  r |= (x > 4 || x++ > 2) << 4;
  r += x > 3 ? y > 1 ? 100 : 200 : x ? 300 : 400;
  while (x > 0 && y-- > 0) r++;
  r += !x;
  out[i] = r;
}
