// Quoted text is the author's: blanks that fill the place of a macro are none of it.
#define RADIUS 3
#define MINUS -
#define NOTHING
#define BOTH(a, b) (a) && (b)
kernel void test(global int* a, global const int* in) {
  int n = in[get_global_id(0)] & 7;
  for (int k = 1; k <= RADIUS; ++k)
    a[k] = k;
  if (n>RADIUS&&n<RADIUS*2)
    a[RADIUS] = 1;
  if (BOTH(n > RADIUS, n < 9)||n == MINUS 1)
    a[0] = (RADIUS);
  while (NOTHING n NOTHING> 0)
    n -= RADIUS;
}
