# gputest_add_kernel(): k: GLOBAL_OFFSET is for OpenCL C: a launch of CUDA has none, so give it as an argument
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 GLOBAL_OFFSET 2)
