# gputest_add_kernel(): '' cannot be a name
gputest_add_kernel("" SOURCE k.cl GLOBAL_SIZE 4)
