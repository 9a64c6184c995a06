# gputest_add_kernel(): k: ARGUMENTS: 'n=abc': 'abc' is no value
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 ARGUMENTS n=abc)
