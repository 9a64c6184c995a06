# gputest_compare_kernels(): pair: BUDGET: '0' is not a number of seconds above 0
gputest_compare_kernels(pair FIRST k.cl SECOND k.cl BUDGET 0)
