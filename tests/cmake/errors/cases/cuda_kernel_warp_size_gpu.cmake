# gputest_add_kernel(): k: WARP_SIZE is for the simulator: a GPU has its own
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 WARP_SIZE 64 DEVICE gpu)
