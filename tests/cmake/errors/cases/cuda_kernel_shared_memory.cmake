# gputest_add_kernel(): k: SHARED_MEMORY is for CUDA files: give __local arguments a size with ARGUMENTS
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 SHARED_MEMORY 64)
