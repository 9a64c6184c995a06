# gputest_add_kernel(): k: GLOBAL_OFFSET: '-1' is not a whole number
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GLOBAL_OFFSET -1)
