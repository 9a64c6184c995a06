# gputest_add_kernel(): k: ARGUMENTS: 'n' is given twice
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 ARGUMENTS n=8 n=9)
