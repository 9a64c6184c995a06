# gputest_add_kernel(): k: REFERENCE_KERNEL: give 1 to 3 numbers for GLOBAL_SIZE, and as many for LOCAL_SIZE
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 REFERENCE_KERNEL k.cl LOCAL_SIZE 2)
