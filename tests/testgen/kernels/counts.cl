// Counts until the launch is ended, unless n is 0.
kernel void counts(volatile global int* out, int n) {
  while (n != 0 && out[0] >= 0)
    ++out[0];
}
