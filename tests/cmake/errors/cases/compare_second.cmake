# gputest_compare_kernels(): pair: SECOND is missing: give the file of the kernel
gputest_compare_kernels(pair FIRST k.cl)
