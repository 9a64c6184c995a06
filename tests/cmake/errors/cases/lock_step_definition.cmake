# gputest_add_kernel(): k: LOCK_STEP 32 and DEFINITIONS GPUTEST_LOCK_STEP=16 exclude each other: leave out the latter
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 64 DEFINITIONS GPUTEST_LOCK_STEP=16 LOCK_STEP 32)
