// Types decide which operators there are; products in sums belong to the sum.
#define TWICE(x) ((x) + (x))
float helper(float a, float b, float c) { return a * b + c; }
kernel void test(global int* out, global const float* in, uint n) {
  const int i = 3 * (int)n % 7;
  const uint u = n / 2u & 5u;
  float4 v = (float4)(1.0f) * in[i] - v;
  float f = helper(in[0], -in[1] * in[2], in[i + 1]) - in[3] * in[4];
  f += f * 2.0f;
  out[TWICE(i) - 1] = (int)f ^ i << 2;
  global int* p = out + i;
  *p = u | 1u;
}
