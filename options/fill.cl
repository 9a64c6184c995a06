kernel void fill(global int* v) { v[get_global_id(0)] = 1; }
