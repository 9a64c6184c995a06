// A pragma stays in front of the statement it belongs to.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define COUNT 3
kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int x = in[i];
  if (x == 2) return;
#pragma unroll
  for (int k = 0; k < COUNT; ++k)
#pragma unroll COUNT
    for (int m = 0; m < k; ++m)
      x += m;
  __attribute__((opencl_unroll_hint(2)))
  for (int k = 0; k < x; ++k) { _Pragma("unroll 2") while (x > 100) x -= 50; }
  out[i] = x;
}
