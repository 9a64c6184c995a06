// What is known before it runs cannot be missed: constant conditions and trip counts.
#define DEBUG 0
#define WIDTH 4

kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  const int rounds = 2 * WIDTH;
  int x = in[i], k;
  for (uint j = 0; j < 8; ++j) // many
    x += j;
  for (int j = 0; j < rounds; j += 8) // one
    x += j;
  for (k = WIDTH; k < WIDTH; ++k) // zero
    if (x > k) x = 0;
  for (int j = 3; j; j >>= 1) { // one by its break, or many
    if (x == j) break;
  }
  for (int j = 0; j < 8; ++j) // its body sees to its end
    if (x > 2) j = 8;
  for (uchar j = 255; j > 0; ++j) // wraps: one
    x++;
  for (int j = 0; j < x; ++j) // anything
    x--;
  if (DEBUG)
    out[i] = x > 3 ? 1 : 2;
  else if (sizeof(x) == 4 && x > 1)
    x++;
  if (DEBUG && x > 7) x--;
  x = WIDTH > 2 ? x + 1 : in[0] > 3 ? 4 : 5;
  out[i] = x;
}
