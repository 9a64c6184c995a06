// Assignments that some mutants of theirs would not differ from.
kernel void same(global int* a, global uint* b, global uchar* c, global int4* d, global float* f) {
  a[0] = 0;       // not *= and &=
  a[1] = -1;      // not |=
  a[2] += 0;      // not -=, <<=, >>=, |= and ^=
  a[3] *= 1;      // not /=
  b[0] = ~0u;     // not |=
  b[1] += 0x80000000u; // not -= and ^=
  c[0] = 255;     // not |=
  c[1] = 256;     // is 0
  d[0] = 0;       // not *= and &=
  int x = a[4];
  x |= x;         // not = and &=
  x -= x;         // not ^=
  f[0] = 0;       // all: a number may be infinite
  a[5] = 2;       // all
  a[6] = x;       // all
}
