# gputest_add_kernel(): k: ARGUMENTS: there is no file
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 ARGUMENTS out=none.npy)
