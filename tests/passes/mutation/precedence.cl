kernel void test(global int* out, int x, int y, int z, global float* real, float p, float q) {
  out[0] = x + y * z;
  out[1] = z - x * y;
  out[2] = x << y + z & 7 | x;
  out[3] = x == y < z;
  out[4] = x < y && y < z || x;
  real[0] = p - q * p;
  real[0] += p * q;
  x -= (uint)y;
  real[1] = p * q + real[0];
}
