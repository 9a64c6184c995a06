# gputest_add_kernel(): k: LOCK_STEP: 64 threads cannot be in lock step, because a warp has 32: give WARP_SIZE 64, too
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 64 LOCAL_SIZE 64 LOCK_STEP 64)
