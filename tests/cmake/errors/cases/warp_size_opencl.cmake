# gputest_add_kernel(): k: WARP_SIZE is for CUDA files: sub-groups of OpenCL have 32 work-items in the simulator
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 WARP_SIZE 64)
