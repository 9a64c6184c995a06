# gputest_add_kernel(): k: TIMEOUT: '0' is not a number of seconds above 0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TIMEOUT 0)
