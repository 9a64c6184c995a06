# gputest_add_kernel(): k: GLOBAL_SIZE is missing: say how many work-items to start, such as GLOBAL_SIZE 64
gputest_add_kernel(k SOURCE k.cl)
