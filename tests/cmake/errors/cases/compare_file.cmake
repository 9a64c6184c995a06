# gputest_compare_kernels(): pair: SECOND: there is no file
gputest_compare_kernels(pair FIRST k.cl SECOND none.cl)
