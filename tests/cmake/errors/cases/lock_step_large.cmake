# gputest_add_kernel(): k: LOCK_STEP: 32 work-items cannot be in lock step, because a work-group has 16 (LOCAL_SIZE)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 64 8 LOCAL_SIZE 8 2 LOCK_STEP 32)
