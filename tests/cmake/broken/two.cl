__kernel void a(__global int* out) { out[0] = 1; }
__kernel void b(__global int* out) { out[0] = 2; }
