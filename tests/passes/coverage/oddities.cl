// Things that real kernels do.
typedef struct Pair { int a; int b[2]; } Pair;
constant int table[3] = {1 > 0 ? 5 : 6, 2, 3};
enum Kind { ODD = 1, EVEN = 2 };
#define EMIT(out, i, value) do { if ((i) >= 0) (out)[i] = (value); } while (0)
__kernel void test(__global int *out, __global const int *in)
{
  int i = get_global_id(0);;
  Pair p = { .a = in[i] > 2 ? 1 : 2, .b = {table[1], ODD} };
  unsigned k;
  {
    int k2 = p.b[0]; { k2++; } p.a += k2;
  }
  for (k = 0u; k<2; k++) ;
  if(in[i]){}else{}
  for (int a = in[i] > 3 ? 1 : 0; a; a = a ? 0 : 1);
  int x = (p.a = 4, p.a > k ? p.a : (int)k);
  int y = ({ int t = x; if (t > 3) t++; t; });
  if (x) { if (y) EMIT(out, i, x + y); else EMIT(out, i, -1); } else if (!y) EMIT(out, i, 3);
}
