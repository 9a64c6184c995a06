# gputest_add_kernel(): k: MUTATION TIMEOUT_FACTOR: '0.5' is not a number, at least 1
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION TIMEOUT_FACTOR 0.5)
