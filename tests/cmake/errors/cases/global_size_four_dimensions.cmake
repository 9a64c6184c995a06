# gputest_add_kernel(): k: GLOBAL_SIZE: 4 numbers: an NDRange has 1 to 3 dimensions
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 1 2 3 4)
