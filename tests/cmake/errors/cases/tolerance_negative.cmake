# gputest_add_kernel(): k: TOLERANCE ABSOLUTE: '-1' is not a number, at least 0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TOLERANCE ABSOLUTE -1)
