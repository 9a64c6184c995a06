# gputest_compare_kernels(): pair: 'GLOBAL_SIZE' is not expected here
gputest_compare_kernels(pair FIRST k.cl SECOND k.cl GLOBAL_SIZE 4)
