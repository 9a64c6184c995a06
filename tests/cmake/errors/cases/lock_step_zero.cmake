# gputest_add_kernel(): k: LOCK_STEP: '0' work-items cannot be in lock step: give 2, 4, 8, 16, 32 or 64
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 64 LOCAL_SIZE 64 LOCK_STEP 0)
