# gputest_add_kernel(): k: FUZZ is for OpenCL C: leave it out
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 FUZZ)
