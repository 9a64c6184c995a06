# gputest_add_kernel(): k: GLOBAL_SIZE has no value: give it one or leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE)
