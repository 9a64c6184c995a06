int twice(int x) { return x * 2; }
kernel void fill(global int* out) { out[get_global_id(0)] = 7; }
