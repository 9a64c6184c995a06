kernel void k(global int* a) { a[get_global_id(0) = ; }
