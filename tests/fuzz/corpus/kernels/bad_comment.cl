kernel void k(global int* a) { // gputest: ignore-begin[nothing
 a[0] = 1; }
