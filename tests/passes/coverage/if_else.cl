// Every shape of if: with and without braces, else, else if, empty body, dangling else.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = in[i];
  if (x > 10)
    x -= 10;
  if (x > 5) {
    x *= 2;
  } else {
    x += 1;
  }
  if (x == 3) ; else x++;
  if (x < 0) x = 0;
  else if (x < 4) x = 4;
  else if (x < 8) { }
  else x = x + 100;
  if (x & 1)
    if (x & 2)
      x += 1000;
    else
      x += 2000;
  out[i] = x;
}
