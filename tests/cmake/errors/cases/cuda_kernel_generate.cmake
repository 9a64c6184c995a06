# gputest_add_kernel(): k: GENERATE is for OpenCL C: leave it out
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 GENERATE)
