# gputest_add_kernel(): k: LOCK_STEP: 32 threads cannot be in lock step, because a warp has 64: give 64
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 64 LOCAL_SIZE 64 WARP_SIZE 64 LOCK_STEP 32)
