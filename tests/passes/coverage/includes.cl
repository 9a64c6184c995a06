// Functions from a header belong to the header's file.
#include "shared.h"
#include "shared.h"
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
#line 100 "generated.clt"
  out[i] = halve(in[i]);
#line 9 "includes.cl"
  if (out[i] > 2) out[i]++;
}
