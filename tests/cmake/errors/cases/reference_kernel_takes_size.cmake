# gputest_add_kernel(): k: GLOBAL_SIZE is missing: say how many work-items to start, such as GLOBAL_SIZE 64; what follows REFERENCE_KERNEL is the reference's
gputest_add_kernel(k SOURCE k.cl REFERENCE_KERNEL k.cl GLOBAL_SIZE 4)
