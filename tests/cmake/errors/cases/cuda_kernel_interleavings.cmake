# gputest_add_kernel(): k: CHECK INTERLEAVINGS is for OpenCL C: leave it out
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 CHECK INTERLEAVINGS)
