# gputest_add_kernel(): k: CHECK is given 2 times: give it once, with all its values
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CHECK RACES CHECK BOUNDS)
