kernel void other(global int* v) { v[get_global_id(0)] += 1; }
