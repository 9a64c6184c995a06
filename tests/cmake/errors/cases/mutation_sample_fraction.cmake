# gputest_add_kernel(): k: MUTATION SAMPLE: '0.5' is not a whole number, at least 1
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION SAMPLE 0.5)
