# gputest_add_kernel(): k: MEMORY OVERHEAD: '101' is not a percentage, 0 to 100
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY OVERHEAD 101)
