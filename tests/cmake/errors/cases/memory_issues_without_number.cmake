# gputest_add_kernel(): k: MEMORY: ISSUES has no value: give it one or leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY ISSUES)
