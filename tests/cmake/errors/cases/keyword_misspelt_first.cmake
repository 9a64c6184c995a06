# gputest_add_kernel(): k: 'SORCE' is not expected here (did you mean SOURCE?); the keywords are SOURCE, KERNEL,
gputest_add_kernel(k SORCE k.cl GLOBAL_SIZE 4)
