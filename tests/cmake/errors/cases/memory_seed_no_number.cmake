# gputest_add_kernel(): k: MEMORY SEED: 'x' is not a whole number, at least 0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY SEED x)
