__kernel void clamp_low(__global const int* x, __global int* y, int low, int n) {
  const int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] < low ? low : x[i];
}
