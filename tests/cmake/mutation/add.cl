#include "shift.h"
__kernel void add(__global const int* x, __global int* y, int n) {
  const int i = get_global_id(0);
  if (i < n)
    y[i] += shifted(x[i]);
}
