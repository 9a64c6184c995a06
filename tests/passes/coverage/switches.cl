// Labels count when the switch selects them, not when control falls into them.
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = 0;
  switch (in[i] & 7) {
  case 0:
    x = 1;
    break;
  case 1:
  case 2:
    x = 2;
  case 3:
    x += 3;
    break;
  case 4: {
    x = 4;
    break;
  }
  default:
    x = 5;
  }
  switch (x) { case 5: x = 50; break; case 2 > 1 ? 1 : 0: x = 10; }
  switch (x)
  case 50: x++;
  int count = in[i] & 15, n = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { x += 1;
  case 3:      x += 2;
  case 2:      x += 3;
  case 1:      x += 4;
          } while (--n > 0);
  }
  out[i] = x;
}
