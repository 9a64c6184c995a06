# gputest_add_kernel(): k: GENERATE BUDGET: '0' is not a number of seconds above 0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GENERATE BUDGET 0)
