# gputest_add_kernel(): k: WARP_SIZE: '48' is no size of a warp: give 32 or 64
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 WARP_SIZE 48)
