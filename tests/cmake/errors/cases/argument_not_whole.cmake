# gputest_add_kernel(): k: ARGUMENTS: 'n=10.5': 'n' is a whole number (uint), and '10.5' is none
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/whole.cl "kernel void k(global float* x, float f, const uint n) { x[n] = f; }")
gputest_add_kernel(k SOURCE ${CMAKE_CURRENT_BINARY_DIR}/whole.cl GLOBAL_SIZE 4 ARGUMENTS x:size=4 f=1.5 n=10.5)
