# gputest_add_kernel(): k: MUTATION is given 2 times: give it once, with all its values
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION MUTATION REPEAT 2)
