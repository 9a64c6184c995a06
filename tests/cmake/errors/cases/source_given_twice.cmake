# gputest_add_kernel(): k: SOURCE is given 2 times: give it once, with all its values
gputest_add_kernel(k SOURCE k.cl SOURCE k.cl GLOBAL_SIZE 4)
