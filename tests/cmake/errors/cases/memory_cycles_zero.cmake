# gputest_add_kernel(): k: MEMORY CYCLES: '0' is not a whole number, at least 1
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY CYCLES 0)
