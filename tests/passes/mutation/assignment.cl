typedef struct { int x; float y; } pair;
kernel void test(global int* out, global float4* vectors, pair given) {
  int a = 1;
  uchar b;
  b = a = 2;
  out[0] -= 3;
  vectors[a] = vectors[0];
  vectors[a].x *= 2.0f;
  pair copy;
  copy = given;
  copy.y /= 3.0f;
  a <<= b, a |= 1;
  global int* p = out;
  p = out + 1;
  p[0] = ~-a;
  out[a++] = --b;
  p++;
}
