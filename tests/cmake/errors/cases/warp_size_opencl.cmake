# gputest_add_kernel(): k: WARP_SIZE is for CUDA files: for sub-groups of OpenCL, give DEFINITIONS GPUTEST_SUB_GROUP_SIZE=<n>
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 WARP_SIZE 64)
