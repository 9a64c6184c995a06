# gputest_add_kernel(): k: GLOBAL_OFFSET: give as many numbers as for GLOBAL_SIZE, 1
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GLOBAL_OFFSET 2 2)
