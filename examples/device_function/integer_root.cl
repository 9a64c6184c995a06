// The largest number whose square is not greater than n, digit by digit in base two.
uint integer_root(uint n) {
  uint root = 0;
  uint bit = 1u << 30;
  while (bit > n)
    bit >>= 2;
  for (; bit != 0; bit >>= 2) {
    if (n >= root + bit) {
      n -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return root;
}

// Lengths of n vectors with integer components below 2^15, rounded down.
kernel void lengths(global const int2* vectors, global uint* length, const uint n) {
  const size_t i = get_global_id(0);
  if (i < n)
    length[i] = integer_root(vectors[i].x * vectors[i].x + vectors[i].y * vectors[i].y);
}
