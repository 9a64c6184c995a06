__kernel void k(__global int* out) { out[get_global_id(0)] = 1; }
