# gputest_add_kernel(): k: GENERATE MAX_CASES: '0' is not a whole number, at least 1
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GENERATE MAX_CASES 0)
