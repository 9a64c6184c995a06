# gputest_add_kernel(): k: MEMORY BUDGET is for MEMORY STRATEGY: add STRATEGY, or leave BUDGET out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY BUDGET 5)
