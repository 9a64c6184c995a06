# gputest_add_kernel(): k: LOCAL_SIZE: give as many numbers as for GLOBAL_SIZE, 1
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 LOCAL_SIZE 2 2)
