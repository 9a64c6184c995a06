__kernel void a(__global int* out) {
  out[0] = one;
}
