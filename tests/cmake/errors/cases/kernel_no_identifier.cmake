# gputest_add_kernel(): k: KERNEL: 'k()' cannot be the name of an OpenCL C function
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 KERNEL "k()")
