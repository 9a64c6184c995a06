# gputest_add_kernel(): k: MEMORY STRATEGY: 'clever' is none of guided, symbolic-random, random
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY STRATEGY clever)
